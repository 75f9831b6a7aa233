/**
 * The bytes that Tron hashes: transactions, block headers, Merkle roots. The messages are those of
 * tronprotocol/protocol, core/Tron.proto; tronweb has no type for blocks, so their few fields are encoded
 * here.
 */
import { createHash } from 'node:crypto'

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

const lengthDelimited = 2

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const bytesField = (field: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([varint(field * 8 + lengthDelimited), varint(bytes.length), bytes])

/** proto3 omits zero. */
const intField = (field: number, value: number): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(field * 8), varint(value)])

/** Transaction.Result.contractResult of Tron.proto: those that the devnet returns. */
export const contractResults = {
  SUCCESS: 1,
  REVERT: 2,
  BAD_JUMP_DESTINATION: 3,
  STACK_TOO_SMALL: 6,
  STACK_TOO_LARGE: 7,
  ILLEGAL_OPERATION: 8,
  OUT_OF_ENERGY: 10,
  UNKNOWN: 13,
} as const
export type ContractResult = keyof typeof contractResults

export interface SignedTransaction {
  /** `Transaction.raw` as protobuf, hex: the signed bytes. */
  raw: string
  /** Hex. */
  signatures: string[]
}

/** `Transaction { raw_data = 1; signature = 2; ret = 5 }`; blocks add `ret`. */
export function encodeTransaction({ raw, signatures }: SignedTransaction, result?: ContractResult): Buffer {
  return Buffer.concat([
    bytesField(1, Buffer.from(raw, 'hex')),
    ...signatures.map((signature) => bytesField(2, Buffer.from(signature, 'hex'))),
    ...(result ? [bytesField(5, intField(3, contractResults[result]))] : []),
  ])
}

/**
 * Decodes a serialized transaction, but not `raw_data`: its exact bytes were signed.
 * @throws if it is not a protobuf message
 */
export function decodeTransaction(bytes: Buffer): SignedTransaction {
  const transaction: SignedTransaction = { raw: '', signatures: [] }
  let at = 0
  const next = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('Protocol message end-group tag did not match expected tag.')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(value)
    }
  }
  while (at < bytes.length) {
    const key = next()
    if (key % 8 !== lengthDelimited) throw new Error('Protocol message contained an invalid tag (zero).')
    const length = next()
    const value = bytes.subarray(at, at + length).toString('hex')
    at += length
    if (key >> 3 === 1) transaction.raw = value
    if (key >> 3 === 2) transaction.signatures.push(value)
  }
  return transaction
}

export interface BlockHeader {
  timestamp: number
  txTrieRoot: string
  parentHash: string
  number: number
  witness_address: string
  version: number
}

/** `BlockHeader.raw`, in the order of its field numbers. */
export const encodeHeader = (header: BlockHeader): Buffer =>
  Buffer.concat([
    intField(1, header.timestamp),
    bytesField(2, Buffer.from(header.txTrieRoot, 'hex')),
    bytesField(3, Buffer.from(header.parentHash, 'hex')),
    intField(7, header.number),
    bytesField(9, Buffer.from(header.witness_address, 'hex')),
    intField(10, header.version),
  ])

/** A block's id: its number, then the last 24 bytes of its header's hash (java-tron, BlockId). */
export const blockIdOf = (header: BlockHeader): string =>
  header.number.toString(16).padStart(16, '0') + sha256(encodeHeader(header)).toString('hex').slice(16)

const emptyRoot = '0'.repeat(64)

/**
 * java-tron, MerkleTree: pairs are hashed, an odd one goes up unchanged. Leaves are whole transactions,
 * including `ret`.
 */
export function merkleRoot(transactions: readonly Uint8Array[]): string {
  let level = transactions.map(sha256)
  while (level.length > 1) {
    level = level.flatMap((left, i) => {
      const right = level[i + 1]
      return i % 2 === 1 ? [] : [right ? sha256(Buffer.concat([left, right])) : left]
    })
  }
  return level[0]?.toString('hex') ?? emptyRoot
}
