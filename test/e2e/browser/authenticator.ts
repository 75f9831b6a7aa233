import { createHmac } from 'node:crypto'
import { waitFor } from '../../support/waitFor.ts'

const stepMs = 30_000

/**
 * An authenticator app, written from RFC 6238 and RFC 4226 alone, so that it agrees with Cowry only where
 * both are right.
 */
export interface Authenticator {
  /** A code that was not used before: a server takes those of this step and of the next, each once. */
  next(): Promise<string>
}

export function createAuthenticator(secret: string): Authenticator {
  const key = fromBase32(secret)
  let last = 0
  const stepNow = () => Math.floor(Date.now() / stepMs)
  return {
    async next() {
      const step = Math.max(last + 1, stepNow())
      await waitFor('an unused code', async () => step <= stepNow() + 1, 2 * stepMs)
      last = step
      return codeAt(key, step)
    },
  }
}

/** Six digits of HMAC-SHA-1 over a counter, truncated as in RFC 4226, 5.3. */
export function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text.replace(/[\s=]/g, '')) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw new Error(`${letter} is not a letter of base 32`)
    bits += value.toString(2).padStart(5, '0')
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
