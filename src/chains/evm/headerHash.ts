import { keccak256 } from './keccak.ts'
import { createRlpWriter } from './rlp.ts'
import type { RpcHeader } from './rpcTypes.ts'

/** What a header's hash says about the rest of it. `open`: it has a field that this version does not know, or lacks one that every chain has. */
export type HeaderProof = 'fits' | 'false' | 'open'

type Header = Readonly<Record<string, unknown>>
type Kind = 'bytes' | 'number'

/** In the order in which they are hashed (Yellow Paper, section 4.4). */
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

/** What forks added: EIP-1559, 4895, 4844, 4788 and 7685. A field that a chain left out is empty where a later one is there. */
const added: readonly [name: string, kind: Kind][] = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
]

/** What nodes answer with the header, and is not hashed. Arbitrum's three are in `extraData` and `mixHash` too, BSC's is in `mixHash`. */
const unhashed = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals', 'author']
const ofChains = ['l1BlockNumber', 'sendCount', 'sendRoot', 'milliTimestamp']
const known = new Set([...[...fields, ...added].map(([name]) => name), ...unhashed, ...ofChains])

const writer = createRlpWriter()

/** Compares a header with its hash: where it fits, no field is another. */
export function proofOf(block: RpcHeader): HeaderProof {
  const header = block as unknown as Header
  const whole = fields.every(([name]) => isThere(header, name))
  if (whole && headerHash(header) === block.hash.toLowerCase()) return 'fits'
  return whole && Object.keys(header).every((name) => known.has(name)) ? 'false' : 'open'
}

/** Null where a field is not hex. */
export function headerHash(header: Header): string | null {
  const forks = added.slice(0, added.findLastIndex(([name]) => isThere(header, name)) + 1)
  try {
    writer.reset(2048 + (header.extraData as string).length)
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
