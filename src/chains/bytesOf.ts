import { ProviderError } from './chain.ts'

/**
 * Bytes in a node's text. `Buffer.from` takes an object with a length for a list: one of a billion would take
 * a minute and a gigabyte.
 * @throws ProviderError
 */
export function bytesOf(text: unknown, encoding: 'hex' | 'base64'): Buffer {
  if (typeof text !== 'string') throw new ProviderError('bytes that are not text')
  return Buffer.from(text, encoding)
}
