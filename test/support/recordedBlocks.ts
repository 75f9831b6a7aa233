import type { RpcBlock as ViemBlock, RpcLog as ViemLog, RpcTransaction as ViemTransaction } from 'viem'
import { readFixture } from '../fixtures/readFixture.ts'

/** A block of mainnet as a public node answered it, in JSON-RPC's form. */
export type RecordedBlock = Omit<ViemBlock<'latest', true>, 'transactions'> & {
  number: `0x${string}`
  hash: `0x${string}`
  logsBloom: `0x${string}`
  transactions: ViemTransaction[]
}

export interface RecordedReceipt {
  transactionHash: `0x${string}`
  blockHash: `0x${string}`
  status: `0x${string}`
  contractAddress: `0x${string}` | null
  logsBloom: `0x${string}`
  logs: (ViemLog & { logIndex: `0x${string}` })[]
}

export interface Recorded {
  block: RecordedBlock
  receipts: RecordedReceipt[]
}

/** @param name for instance `ethereum/18000000` */
export function recordedBlock(name: string): Recorded {
  return { block: readFixture(`${name}/block.json`), receipts: readFixture(`${name}/receipts.json`) }
}
