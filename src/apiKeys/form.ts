import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../platform/secrets.ts'

/** `test` keys belong to a deployment of test networks, `live` keys to one of mainnets. */
export type Environment = 'test' | 'live'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = new RegExp(`^ak_(test|live)_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** How much of a key is kept to tell it by: four of its 30 random digits. */
export const prefixLength = 12

/**
 * A new key: `ak_<environment>_`, 30 random base-62 digits, and 6 of their CRC-32, as GitHub's tokens do, so
 * that a mistyped key is told from an unknown one without asking the database.
 */
export function generateApiKey(environment: Environment): Secret {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return new Secret(`ak_${environment}_${random}${checksum(random)}`)
}

/** The environment of a well-formed key; null for any other text. */
export function environmentOf(text: string): Environment | null {
  const [, environment] = form.exec(text) ?? []
  const body = text.slice(text.lastIndexOf('_') + 1)
  return checksum(body.slice(0, randomLength)) === body.slice(randomLength) ? ((environment as Environment | undefined) ?? null) : null
}

function checksum(text: string): string {
  let left = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[left % 62] + digits
    left = Math.floor(left / 62)
  }
  return digits
}

/** What is stored of a key: 178 random bits need no slow hash. */
export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest()
