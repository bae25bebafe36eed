import { INPUT, OUTPUT } from './layout'

/** For each byte up to the backslash: its escape (at most 6 bytes), and in the last byte the length of that. */
const ESCAPES = memory.data(0x5D * 8, 8)

function setEscape (byte: u32, letter: u32): void {
  store<u64>(ESCAPES + byte * 8, <u64>0x5C | <u64>letter << 8 | <u64>2 << 56)
}

for (let byte: u32 = 0; byte < 0x20; byte++) {
  const digit = byte & 0x0F
  // \u00xx, the first character in the lowest byte
  store<u64>(ESCAPES + byte * 8, <u64>0x3030755C | <u64>(0x30 + (byte >> 4)) << 32 |
    <u64>(digit < 10 ? 0x30 + digit : 0x57 + digit) << 40 | <u64>6 << 56)
}
setEscape(0x08, 0x62)
setEscape(0x09, 0x74)
setEscape(0x0A, 0x6E)
setEscape(0x0C, 0x66)
setEscape(0x0D, 0x72)
setEscape(0x22, 0x22)
setEscape(0x5C, 0x5C)

/** Answers how many bytes it put at OUTPUT. */
export function escapeJson (length: usize): usize {
  const end = INPUT + length
  let out = OUTPUT
  for (let p = INPUT; p < end; p += 16) {
    const bytes = v128.load(p)
    v128.store(out, bytes)
    let bits = i8x16.bitmask(v128.or(
      i8x16.lt_u(bytes, i8x16.splat(0x20)),
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5C)))))
    const size = min<usize>(end - p, 16)
    if (size < 16) bits &= (1 << <i32>size) - 1
    // The bytes of the block from `done` on have been stored at `out`.
    let done: usize = 0
    while (bits != 0) {
      const k = <usize>ctz(bits)
      const escape = load<u64>(ESCAPES + <usize>load<u8>(p + k) * 8)
      out += k - done
      store<u64>(out, escape)
      out += <usize>(escape >> 56)
      done = k + 1
      v128.store(out, v128.load(p + done))
      bits &= bits - 1
    }
    out += size - done
  }
  return out - OUTPUT
}
