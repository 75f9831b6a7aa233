/** The bytes of an answer in a batch, by the id that it seems to have. */
export type Answers = ReadonlyMap<number, Buffer>

/** Where the id of an answer stands: after `jsonrpc`, or first, or last. */
const atBegin = /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/
const atEnd = /,\s*"id"\s*:\s*(\d{1,15})\s*\}$/
const endLength = 40
const beginLength = 80

/**
 * Splits the answer to a batch without parsing it: a new answer starts at `,` and the bytes that the first
 * one starts with. Where each part is one whole JSON value, the parts are those of the list, whatever stands
 * in them: so a part that was read strictly is right. Where a part is not, the split was wrong, and the
 * caller parses the whole answer.
 * @returns null where it does not seem to be a list of so many answers with different ids
 */
export function splitBatch(answer: Buffer, count: number): Answers | null {
  const [begin, end] = trimmed(answer)
  if (answer[begin] !== bracket.open || answer[end - 1] !== bracket.close) return null
  const first = firstAfterSpace(answer, begin + 1)
  const key = answer.subarray(first, answer.indexOf(':', first) + 1)
  if (key.length < 5 || key.length > beginLength) return null
  const separator = Buffer.concat([Buffer.from(','), key])
  const answers = new Map<number, Buffer>()
  for (let at = first; at < end; ) {
    const next = answer.indexOf(separator, at)
    const part = answer.subarray(at, next < 0 ? lastBeforeSpace(answer, end - 1) : next)
    const id = idOf(part)
    if (id === null || answers.has(id) || answers.size === count) return null
    answers.set(id, part)
    if (next < 0) break
    at = next + 1
  }
  return answers.size === count ? answers : null
}

const bracket = { open: 0x5b, close: 0x5d } as const

function idOf(part: Buffer): number | null {
  const found =
    atBegin.exec(part.toString('latin1', 0, beginLength)) ??
    atEnd.exec(part.toString('latin1', Math.max(0, part.length - endLength)))
  return found ? Number(found[1]) : null
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function firstAfterSpace(answer: Buffer, from: number): number {
  let at = from
  while (isSpace(answer[at])) at++
  return at
}

/** @returns the place after the last byte that is not space */
function lastBeforeSpace(answer: Buffer, to: number): number {
  let at = to
  while (isSpace(answer[at - 1])) at--
  return at
}

const trimmed = (answer: Buffer): [begin: number, end: number] => [
  firstAfterSpace(answer, 0),
  lastBeforeSpace(answer, answer.length),
]
