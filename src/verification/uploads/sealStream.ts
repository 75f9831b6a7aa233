import { createCipheriv, createDecipheriv } from 'node:crypto'
import { keyObjectOf } from '../../custody/seal.ts'
import type { Secret } from '../../platform/secrets.ts'

// A file is sealed in frames of 64 KiB, so that it is never held as a whole and no byte is given out before
// it was verified. Each frame is AES-256-GCM under a key that seals this file alone; its nonce is its number
// and whether it is the last (the STREAM construction, Hoang, Reyhanitabar, Rogaway and Vizár 2015): frames
// cannot be exchanged, and a file cannot be cut.

const frameBytes = 64 * 2 ** 10
const tagBytes = 16

type Key = Secret<Uint8Array>

/**
 * @param context bound to every frame
 * @returns pieces that are the caller's: no buffer is used twice, or copied
 */
export async function* sealStream(
  key: Key,
  plain: AsyncIterable<Uint8Array>,
  context: string,
): AsyncGenerator<Buffer> {
  const bound = Buffer.from(context)
  let number = 0
  for await (const { frame, isLast } of framesOf(plain)) {
    const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonceOf(number++, isLast)).setAAD(bound)
    yield cipher.update(frame)
    // GCM keeps no bytes back.
    cipher.final()
    yield cipher.getAuthTag()
  }
}

/**
 * @throws Error where key or context differ, or a bit was changed; bytes given out before are as they were
 * sealed
 */
export async function* openStream(
  key: Key,
  sealed: AsyncIterable<Uint8Array>,
  context: string,
): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { frame, isLast } of framesOf(sealed, frameBytes + tagBytes)) {
    if (frame.length < tagBytes) throw new Error('too short to be sealed')
    const end = frame.length - tagBytes
    const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), nonceOf(number++, isLast), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(frame.subarray(end))
    yield Buffer.concat([decipher.update(frame.subarray(0, end)), decipher.final()])
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/**
 * Frames of equal length but for the last, which may be shorter; no bytes are one empty frame. Each is valid
 * until the next: one buffer is filled, so that pieces of a byte cost no more than long ones.
 */
export async function* framesOf(
  bytes: AsyncIterable<Uint8Array>,
  length = frameBytes,
): AsyncGenerator<{ frame: Buffer; isLast: boolean }> {
  const frame = Buffer.allocUnsafeSlow(length)
  let filled = 0
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; ) {
      if (filled === length) {
        yield { frame, isLast: false }
        filled = 0
      }
      const part = piece.subarray(at, at + length - filled)
      frame.set(part, filled)
      filled += part.length
      at += part.length
    }
  yield { frame: frame.subarray(0, filled), isLast: true }
}
