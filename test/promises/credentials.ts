/** Text that has one of these in it has a credential of ours, or a good part of it. One character a byte. */
export type Traces = readonly string[]

const traceLength = 12

/**
 * What betrays a credential, in whatever form somebody might have written it.
 * @param shown so many of its first characters may be told: an API key is known by them
 */
export function tracesOf(text: string, shown = 0): Traces {
  const bytes = Buffer.from(text)
  // Base 64 of a part is part of the whole's only from the same three bytes on.
  const from = Math.ceil(shown / 3) * 3
  const hidden = bytes.subarray(from)
  const ofText = [text.slice(shown), hidden.toString('hex'), hidden.toString('hex').toUpperCase(), hidden.toString('base64').replaceAll('=', '')]
  const decoded = /^[\w-]{43}$/.test(text) ? rawOf(Buffer.from(text, 'base64url')) : []
  return [...new Set([...ofText, encodeURIComponent(text).slice(shown), ...decoded].flatMap(partsOf))].filter((part) => part.length >= traceLength)
}

/** Its parts: a text that was cut off still counts. */
const partsOf = (form: string) => (form.length < 2 * traceLength ? [form] : [form.slice(0, traceLength), form.slice(-traceLength), middleOf(form)])
const middleOf = (form: string) => form.slice(form.length / 2 - traceLength / 2, form.length / 2 + traceLength / 2)

/** The random bytes themselves. */
const rawOf = (bytes: Buffer) => [bytes.toString('hex'), bytes.toString('base64').replaceAll('=', ''), bytes.toString('latin1')]

/** Of a signed token only the signature is a secret; what it says is not. */
export const tracesOfToken = (token: string): Traces => tracesOf(token.slice(token.lastIndexOf('.') + 1))
