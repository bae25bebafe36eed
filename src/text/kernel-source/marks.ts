// A kind of mark is a class. Its marks() answers, for the 16 code units at p, -1 where a unit is a mark and 0
// elsewhere; it gets what context() said of the 16 units before and of these. Kinds are never constructed: they only
// select which functions are inlined.

export class Utf8LineFeeds {
  @inline get shift(): i32 { return 0 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return i8x16.eq(v128.load(p), i8x16.splat(0x0A)) }
}

export class Utf16LeLineFeeds {
  @inline get shift(): i32 { return 1 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return equalUnits(p, 0x000A) }
}

export class Utf16BeLineFeeds {
  @inline get shift(): i32 { return 1 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return equalUnits(p, 0x0A00) }
}

/** The first bytes of characters, in valid UTF-8. */
export class Utf8Leads {
  @inline get shift(): i32 { return 0 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return i8x16.ge_s(v128.load(p), i8x16.splat(-0x40)) }
}

/** The first bytes of characters, in any bytes; looks back up to 3 of them. */
export class Utf8Starts {
  @inline get shift(): i32 { return 0 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return utf8Starts(p, before, own) }
}

/** The units that are not the second of a surrogate pair; looks back one unit. */
export class Utf16LeStarts {
  @inline get shift(): i32 { return 1 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return unpairedUnits(p, 0xFC00, 0xD800, 0xDC00) }
}

export class Utf16BeStarts {
  @inline get shift(): i32 { return 1 }
  @inline marks(p: usize, before: v128, own: v128): v128 { return unpairedUnits(p, 0x00FC, 0x00D8, 0x00DC) }
}

@inline
export function context<K> (p: usize): v128 {
  return idof<K>() == idof<Utf8Starts>() ? secondBytes(p) : i8x16.splat(0)
}

/** Whether it is plain that the 64 units at p are all marks. */
@inline
export function areMarks<K> (p: usize): bool {
  return idof<K>() == idof<Utf8Starts>() && isAscii64(p)
}

@inline
function equalUnits (p: usize, unit: i16): v128 {
  const wanted = i16x8.splat(unit)
  return i8x16.narrow_i16x8_s(i16x8.eq(v128.load(p), wanted), i16x8.eq(v128.load(p, 16), wanted))
}

@inline
function unpairedUnits (p: usize, mask: i32, high: i32, low: i32): v128 {
  const first = v128.and(surrogates(p - 2, mask, high), surrogates(p, mask, low))
  const second = v128.and(surrogates(p + 14, mask, high), surrogates(p + 16, mask, low))
  return v128.not(i8x16.narrow_i16x8_s(first, second))
}

@inline
function surrogates (p: usize, mask: i32, kind: i32): v128 {
  return i16x8.eq(v128.and(v128.load(p), i16x8.splat(<i16>mask)), i16x8.splat(<i16>kind))
}

/**
 * Bits of the pairs (byte at p - 1, byte at p) that begin a well-formed character of two or more bytes (Unicode,
 * table 3-7), else 0: 01 lead C2..CF, 02 D0..DF, 04 E1..EC EE EF, 08 E0, 10 ED, 20 F1..F3, 40 F0, 80 F4.
 */
@inline
function secondBytes (p: usize): v128 {
  const lead = v128.load(p - 1)
  const byHighNibble = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x02, 0x1C, -0x20)
  const byLowNibble = i8x16(
    0x4A, 0x26, 0x27, 0x27, -0x79, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x13, 0x07, 0x07)
  const bySecond = i8x16(0, 0, 0, 0, 0, 0, 0, 0, -0x49, 0x77, 0x6F, 0x6F, 0, 0, 0, 0)
  return v128.and(
    v128.and(
      i8x16.swizzle(byHighNibble, i8x16.shr_u(lead, 4)),
      i8x16.swizzle(byLowNibble, v128.and(lead, i8x16.splat(0x0F)))),
    i8x16.swizzle(bySecond, i8x16.shr_u(v128.load(p), 4)))
}

/**
 * A byte goes on with the character before it if it is a valid second byte, or a continuation byte right after a
 * valid second (leads E0..F4) or third (F0..F4) byte. All others start a character or are an error by themselves:
 * the maximal subparts that https://encoding.spec.whatwg.org/#utf-8-decoder makes one U+FFFD of.
 */
@inline
function utf8Starts (p: usize, before: v128, seconds: v128): v128 {
  const oneBack = i8x16.shuffle(before, seconds, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
  const twoBack = i8x16.shuffle(before, seconds, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
  const third = v128.and(oneBack, i8x16.splat(-0x04))
  const fourth = v128.and(v128.and(twoBack, i8x16.splat(-0x20)), continuations(p - 1))
  return i8x16.eq(v128.or(seconds, v128.and(v128.or(third, fourth), continuations(p))), i8x16.splat(0))
}

@inline
function isAscii64 (p: usize): bool {
  const first = v128.or(v128.load(p), v128.load(p, 16))
  const second = v128.or(v128.load(p, 32), v128.load(p, 48))
  return i8x16.bitmask(v128.or(first, second)) == 0
}

@inline
function continuations (p: usize): v128 {
  return i8x16.lt_s(v128.load(p), i8x16.splat(-0x40))
}
