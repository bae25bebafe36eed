import { INPUT, UTF_8, UTF_16LE, VALID_UTF_8 } from './layout'
import {
  areMarks, context,
  Utf8LineFeeds, Utf16LeLineFeeds, Utf16BeLineFeeds, Utf8Leads, Utf8Starts, Utf16LeStarts, Utf16BeStarts
} from './marks'

/** How many line feeds or characters the last seek passed. */
export let found: i32 = 0

/** Units that are counted before the count is looked at; at most 255 times 64, lest a lane overflows. */
const STRIDE: i32 = 2048

@inline
function countStride<K> (from: usize, kind: K): i32 {
  const step: usize = 16 << kind.shift
  let a = i8x16.splat(0)
  let b = a
  let c = a
  let d = a
  let whole = 0
  let before = context<K>(from - step)
  for (let p = from, end = from + (STRIDE << kind.shift); p < end; p += step * 4) {
    if (areMarks<K>(p)) {
      whole += 64
      before = i8x16.splat(0)
      continue
    }
    const first = context<K>(p)
    const second = context<K>(p + step)
    const third = context<K>(p + step * 2)
    const fourth = context<K>(p + step * 3)
    a = i8x16.sub(a, kind.marks(p, before, first))
    b = i8x16.sub(b, kind.marks(p + step, first, second))
    c = i8x16.sub(c, kind.marks(p + step * 2, second, third))
    d = i8x16.sub(d, kind.marks(p + step * 3, third, fourth))
    before = fourth
  }
  const sums = i16x8.add(
    i16x8.add(i16x8.extadd_pairwise_i8x16_u(a), i16x8.extadd_pairwise_i8x16_u(b)),
    i16x8.add(i16x8.extadd_pairwise_i8x16_u(c), i16x8.extadd_pairwise_i8x16_u(d)))
  const totals = i32x4.extadd_pairwise_i16x8_u(sums)
  return whole + i32x4.extract_lane(totals, 0) + i32x4.extract_lane(totals, 1) +
    i32x4.extract_lane(totals, 2) + i32x4.extract_lane(totals, 3)
}

/** The place of mark number `count` (≥ 1) in [from, to); `to`, if there are fewer. Sets `found`. */
function seek<K> (from: usize, to: usize, count: i32): usize {
  const kind = changetype<K>(0)
  const stride: usize = STRIDE << kind.shift
  let p = from
  let left = count
  for (; to - p >= stride; p += stride) {
    const n = countStride<K>(p, kind)
    if (n >= left) break
    left -= n
  }
  for (; p < to; p += 16 << kind.shift) {
    const units = <u32>(to - p) >> kind.shift
    let bits = i8x16.bitmask(kind.marks(p, context<K>(p - (16 << kind.shift)), context<K>(p)))
    if (units < 16) bits &= (1 << units) - 1
    const n = popcnt(bits)
    if (n >= left) {
      while (--left > 0) bits &= bits - 1
      found = count
      return p + (ctz(bits) << kind.shift)
    }
    left -= n
  }
  found = count - left
  return to
}

export function seekLines (encoding: i32, from: usize, to: usize, count: i32): usize {
  from += INPUT
  to += INPUT
  found = 0
  if (encoding != UTF_8) to -= (to - from) & 1
  if (count == 0) return from - INPUT
  const at = encoding == UTF_8
    ? seek<Utf8LineFeeds>(from, to, count)
    : encoding == UTF_16LE
      ? seek<Utf16LeLineFeeds>(from, to, count)
      : seek<Utf16BeLineFeeds>(from, to, count)
  if (found < count) return to - INPUT
  return at + (encoding == UTF_8 ? 1 : 2) - INPUT
}

/** @param encoding VALID_UTF_8 gives the same answers as UTF_8, faster, where it holds. */
export function seekChars (encoding: i32, from: usize, to: usize, count: i32): usize {
  const start = from + INPUT
  const end = INPUT + (encoding == UTF_8 || encoding == VALID_UTF_8
    ? completeUtf8(from, to)
    : completeUtf16(encoding, from, to))
  found = 0
  if (count == 0) return from
  // What is before `start` must not be taken for the start of the first character.
  const before = load<u32>(start - 4)
  store<u32>(start - 4, 0)
  const at = seekStarts(encoding, start, end, count + 1)
  store<u32>(start - 4, before)
  if (found > count) found = count
  return at - INPUT
}

/** The characters passed end where the one after them starts: `count` is one more than they are. */
function seekStarts (encoding: i32, from: usize, to: usize, count: i32): usize {
  switch (encoding) {
    case UTF_8: return seek<Utf8Starts>(from, to, count)
    case VALID_UTF_8: return seek<Utf8Leads>(from, to, count)
    case UTF_16LE: return seek<Utf16LeStarts>(from, to, count)
    default: return seek<Utf16BeStarts>(from, to, count)
  }
}

/** The end of [from, to) less a proper prefix of a well-formed character. */
export function completeUtf8 (from: usize, to: usize): usize {
  for (let k: usize = 1; k <= 3 && k <= to - from; k++) {
    const lead = <u32>load<u8>(INPUT + to - k)
    if (lead < 0x80) return to
    if (lead < 0xC0) continue
    const length: usize = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    if (k >= length) return to
    if (k == 1) return to - k
    const second = <u32>load<u8>(INPUT + to - k + 1)
    const least: u32 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    const most: u32 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    return second >= least && second <= most ? to - k : to
  }
  return to
}

function completeUtf16 (encoding: i32, from: usize, to: usize): usize {
  to -= (to - from) & 1
  if (from == to) return to
  const high = <u32>load<u8>(INPUT + to - (encoding == UTF_16LE ? 1 : 2))
  return (high & 0xFC) == 0xD8 ? to - 2 : to
}
