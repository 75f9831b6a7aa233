import { keccak256 } from '../keccak.ts'
import { createRlpWriter, lengthOf } from '../rlp.ts'
import type { RpcHeader } from '../rpcTypes.ts'

/**
 * Whether a header matches its hash. `unknown`: it has a field that this version does not know, or lacks one
 * that every chain has.
 */
export type HeaderProof = 'match' | 'mismatch' | 'unknown'

type Header = Readonly<Record<string, unknown>>
type Kind = 'bytes' | 'number'

/** In the order of their hashing (Yellow Paper, section 4.4). */
const fields: readonly [name: string, kind: Kind][] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
]

/**
 * Added by forks: EIP-1559, 4895, 4844, 4788 and 7685. A field that a chain skipped is hashed as empty where
 * a later one is present.
 */
const added: readonly [name: string, kind: Kind][] = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
]

/**
 * Answered with the header, but not hashed. Arbitrum's three are also in `extraData` and `mixHash`, BSC's in
 * `mixHash`.
 */
const unhashed = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals', 'author']
const ofChains = ['l1BlockNumber', 'sendCount', 'sendRoot', 'milliTimestamp']
const known = new Set([...[...fields, ...added].map(([name]) => name), ...unhashed, ...ofChains])

const writer = createRlpWriter()

/** Compares a header with its hash. */
export function proofOf(block: RpcHeader): HeaderProof {
  const header = block as unknown as Header
  const whole = fields.every(([name]) => isThere(header, name))
  if (whole && headerHash(header) === block.hash.toLowerCase()) return 'match'
  return whole && Object.keys(header).every((name) => known.has(name)) ? 'mismatch' : 'unknown'
}

/** @returns null where a field is not hex */
export function headerHash(header: Header): string | null {
  const forks = added.slice(0, added.findLastIndex(([name]) => isThere(header, name)) + 1)
  try {
    writer.reset(2048 + lengthOf(header.extraData))
    const end = writer.at
    for (const [name, kind] of [...fields, ...forks].reverse()) {
      const text = (header[name] ?? '0x') as string
      if (kind === 'number') writer.hexNumber(text)
      else writer.hex(text)
    }
    writer.listSince(end)
    return `0x${Buffer.from(keccak256(writer.since(end))).toString('hex')}`
  } catch {
    return null
  }
}

const isThere = (header: Header, name: string) => header[name] !== undefined && header[name] !== null
