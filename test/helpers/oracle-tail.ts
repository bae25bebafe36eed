import { countMalformed, joined, textOf, type OracleCharacter } from './oracle.js'

/** The page that contract 4.5 wants of a file as it is, behind `from`, which must be where a character starts. */
export function expectedTail (bytes: Buffer, from: number, asked: { maxBytes: number, flush: boolean }) {
  const { maxBytes, flush } = asked
  const size = bytes.length
  const text = textOf(bytes)
  const isHeld = ({ cut }: OracleCharacter): boolean => cut && !flush
  // Too short to tell whether it starts with a mark.
  const unclear = !flush && /^(ef(bb)?|f[ef])$/.test(bytes.toString('hex'))
  const coming = unclear ? [] : text.characters.filter(character => character.start >= from && !isHeld(character))
  let contentBytes = 0
  const over = coming.findIndex(({ text, end }) => {
    contentBytes += Buffer.byteLength(text)
    return contentBytes > maxBytes || end - from > maxBytes
  })
  const taken = over === -1 ? coming : coming.slice(0, Math.max(1, over))
  const endByte = taken.at(-1)?.end ?? from
  const more = taken.length < coming.length
  return {
    content: joined(taken),
    page: {
      unit: 'tail',
      encoding: text.encoding,
      startByte: from,
      endByte,
      replacements: countMalformed(taken),
      reset: null,
      replayed: false,
      more,
      heldBytes: more ? 0 : size - endByte
    }
  }
}
