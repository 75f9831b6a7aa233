import { createHash } from 'node:crypto'
import { bytesOf } from '../bytesOf.ts'
import { encodeBytes, encodeNumber } from './protobuf.ts'
import type { TronHeader, TronTransaction } from './rpcTypes.ts'

/**
 * Ids are hashes: a block's of its header, a transaction's of its bytes. Field numbers as in
 * `core/Tron.proto` of java-tron.
 */
const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const hex = (text: string | undefined) => bytesOf(text ?? '', 'hex')
const bytes = (field: number, text: string | undefined) =>
  text ? encodeBytes(field, hex(text)) : Buffer.alloc(0)

/** A block's id: its height in eight bytes, then the header's hash without its first eight bytes. */
export function blockId(header: TronHeader): string {
  const raw = Buffer.concat([
    encodeNumber(1, BigInt(header.timestamp ?? 0)),
    bytes(2, header.txTrieRoot),
    bytes(3, header.parentHash),
    encodeNumber(7, BigInt(header.number ?? 0)),
    encodeNumber(8, BigInt(header.witness_id ?? 0)),
    bytes(9, header.witness_address),
    encodeNumber(10, BigInt(header.version ?? 0)),
    bytes(11, header.accountStateRoot),
  ])
  return (
    BigInt(header.number ?? 0)
      .toString(16)
      .padStart(16, '0') + sha256(raw).toString('hex').slice(16)
  )
}

export const transactionId = ({ raw_data_hex }: TronTransaction): string =>
  sha256(hex(raw_data_hex)).toString('hex')

/** The root of a block without transactions (java-tron, `BlockCapsule.calcMerkleRoot`). */
export const emptyRoot = '0'.repeat(64)
