import { type Hex, keccak256 } from 'viem'
import { type Rlp, rlp, rlpNumber } from './slowTrie.ts'

/* The hash of an EVM block's header, an independent implementation of the Yellow Paper (4.4) and the EIPs; RLP and Keccak are viem's. */
const bytes = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
] as const
const numbers = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'] as const
const end = ['extraData', 'mixHash', 'nonce'] as const
/** EIP-1559, 4895, 4844 (two), 4788, 7685; each later one only with those before it. */
const forks = [
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const
const forkNumbers: readonly string[] = ['baseFeePerGas', 'blobGasUsed', 'excessBlobGas']

export type HeaderField = (typeof bytes)[number] | (typeof numbers)[number] | (typeof end)[number]
export type ForkField = (typeof forks)[number]
export type SlowHeader = Record<HeaderField, Hex> & Partial<Record<ForkField, Hex>>

export const headerFields: readonly HeaderField[] = [...bytes, ...numbers, ...end]
export const forkFields: readonly ForkField[] = forks

export function slowHeaderHash(header: SlowHeader): Hex {
  const added = forks.slice(0, forks.findLastIndex((name) => header[name] !== undefined) + 1)
  const items: Rlp[] = [
    ...bytes.map((name) => header[name]),
    ...numbers.map((name) => rlpNumber(header[name])),
    ...end.map((name) => header[name]),
    ...added.map((name) =>
      forkNumbers.includes(name) ? rlpNumber(header[name] ?? '0x0') : (header[name] ?? '0x'),
    ),
  ]
  return keccak256(rlp(items))
}
