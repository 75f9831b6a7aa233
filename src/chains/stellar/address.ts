import type { AddressCodec } from '../chain.ts'
import { decodeStrKey, encodeStrKey } from './strkey.ts'

/** Bytes of an account's key, and of the id in a muxed address (CAP-27). */
const [keyBytes, idBytes] = [32, 8]
const maxId = 2n ** 64n - 1n

/**
 * The muxed address (`M…`, SEP-23) of an account (`G…`) and an id. Id zero is the account itself: no deposit
 * has it.
 */
export function muxed(account: string, id: bigint): string {
  if (id === 0n) return account
  const bytes = Buffer.alloc(keyBytes + idBytes)
  bytes.set(payloadOf(account))
  bytes.writeBigUInt64BE(id, keyBytes)
  return encodeStrKey('muxed', bytes)
}

export function unmuxed(address: string): { account: string; id: bigint } {
  if (!address.startsWith('M')) return { account: address, id: 0n }
  const bytes = Buffer.from(payloadOf(address))
  return {
    account: encodeStrKey('account', bytes.subarray(0, keyBytes)),
    id: bytes.readBigUInt64BE(keyBytes),
  }
}

function payloadOf(address: string): Uint8Array {
  const decoded = decodeStrKey(address)
  if (!decoded) throw new Error('address is not a valid Stellar address')
  return decoded.payload
}

/** @returns the id of a memo: decimal, no sign, no leading zero; null if the text is not an id */
export function memoId(text: string): bigint | null {
  if (!/^(0|[1-9]\d{0,19})$/.test(text)) return null
  const id = BigInt(text)
  return id <= maxId ? id : null
}

/**
 * Stellar addresses. All deposits come to one account and are distinguished by an id. The stored form is the
 * muxed address of account and id; a payment to the account with the id as its memo has the same recipient.
 */
export const stellarAddress: AddressCodec = {
  normalise(text) {
    const decoded = decodeStrKey(text)
    if (decoded?.kind !== 'muxed') return decoded && text
    const { account, id } = unmuxed(text)
    return muxed(account, id)
  },
  hasWrongChecksum: (text) =>
    /^(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/.test(text) && decodeStrKey(text) === null,
  display: (address) => address,
  bytes(address) {
    const bytes = Buffer.alloc(keyBytes + idBytes)
    const decoded = decodeStrKey(address)
    if (!decoded) return new Uint8Array()
    bytes.set(decoded.payload)
    return bytes
  },
  payment(address) {
    const { account, id } = unmuxed(address)
    return { address: account, memo: id.toString(), memoType: 'id', muxedAddress: address }
  },
  account: (address) => (address.startsWith('M') ? unmuxed(address).account : null),
  isContract: (address) => decodeStrKey(address)?.kind === 'contract',
}

/** `CODE:ISSUER`, the code of 1 to 12 letters and digits. @returns null if the text is not an asset */
export function stellarAsset(text: string): string | null {
  const [, issuer = ''] = /^[a-zA-Z0-9]{1,12}:(G[A-Z2-7]{55})$/.exec(text) ?? []
  return decodeStrKey(issuer)?.kind === 'account' ? text : null
}
