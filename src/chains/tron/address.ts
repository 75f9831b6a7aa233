import { createHash } from 'node:crypto'
import { base58, createBase58check } from '@scure/base'
import type { AddressCodec } from '../chain.ts'

const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest())

/** Prefix of every address (TRON developer docs, "Account model"). */
const prefix = '41'
const form = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/**
 * Tron addresses: internally `41` and twenty bytes in lower-case hex, as nodes return them; externally
 * base58check (`T…`).
 */
export const tronAddress: AddressCodec = {
  normalise(text) {
    if (/^41[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
    if (!form.test(text)) return null
    try {
      const hex = Buffer.from(base58check.decode(text)).toString('hex')
      return hex.length === 42 && hex.startsWith(prefix) ? hex : null
    } catch {
      return null
    }
  },
  // Prefix, twenty bytes and four of the checksum.
  hasWrongChecksum: (text) =>
    form.test(text) && base58.decode(text).length === 25 && tronAddress.normalise(text) === null,
  display: (address) => base58check.encode(Buffer.from(address, 'hex')),
  bytes: (address) => Buffer.from(address.slice(2), 'hex'),
}

/** The address in the last twenty bytes of a log word, or of any form that a contract or a node uses. */
export const fromHex = (hex: string): string => prefix + hex.slice(-40).toLowerCase()
