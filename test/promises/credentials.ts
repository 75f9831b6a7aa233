/**
 * A text with one of these contains one of these credentials, or a good part of it. One character per byte.
 */
export type Traces = readonly string[]

const traceLength = 12

/**
 * Traces of a credential, in every usual encoding.
 * @param shown number of leading characters that may appear: they identify an API key
 */
export function tracesOf(text: string, shown = 0): Traces {
  const bytes = Buffer.from(text)
  // Base64 of a part matches base64 of the whole only from a multiple of three bytes on.
  const from = Math.ceil(shown / 3) * 3
  const hidden = bytes.subarray(from)
  const ofText = [
    text.slice(shown),
    hidden.toString('hex'),
    hidden.toString('hex').toUpperCase(),
    hidden.toString('base64').replaceAll('=', ''),
  ]
  const decoded = /^[\w-]{43}$/.test(text) ? rawOf(Buffer.from(text, 'base64url')) : []
  return [...new Set([...ofText, encodeURIComponent(text).slice(shown), ...decoded].flatMap(partsOf))].filter(
    (part) => part.length >= traceLength,
  )
}

/** Its parts: a truncated text still counts. */
const partsOf = (form: string) =>
  form.length < 2 * traceLength
    ? [form]
    : [form.slice(0, traceLength), form.slice(-traceLength), middleOf(form)]
const middleOf = (form: string) =>
  form.slice(form.length / 2 - traceLength / 2, form.length / 2 + traceLength / 2)

/** The random bytes themselves. */
const rawOf = (bytes: Buffer) => [
  bytes.toString('hex'),
  bytes.toString('base64').replaceAll('=', ''),
  bytes.toString('latin1'),
]

/** Only the signature of a signed token is secret; its payload is not. */
export const tracesOfToken = (token: string): Traces => tracesOf(token.slice(token.lastIndexOf('.') + 1))
