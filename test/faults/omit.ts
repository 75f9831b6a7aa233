/** Logs omitted from a block under the same hash, as by a provider whose index lost rows. */
export const omissions = ['omitted-middle-log', 'omitted-transaction', 'omitted-last-log'] as const
export type Omission = (typeof omissions)[number]

export interface RpcLog {
  logIndex: string
  transactionHash: string
  blockHash: string
  address: string
  topics: string[]
  data: string
}

export interface RpcReceipt {
  transactionHash: string
  blockHash: string
  type: string
  status: string
  cumulativeGasUsed: string
  logsBloom: string
  logs: RpcLog[]
}

export const emptyBloom = `0x${'0'.repeat(512)}`

/** The omitted logs of a block. */
function victimsOf(omission: Omission, logs: readonly RpcLog[]): readonly RpcLog[] {
  if (omission === 'omitted-last-log') return logs.slice(-1)
  if (omission === 'omitted-transaction')
    return logs.filter(({ transactionHash }) => transactionHash === logs[0]?.transactionHash)
  return logs.length < 3 ? [] : logs.slice(Math.floor(logs.length / 2), Math.floor(logs.length / 2) + 1)
}

/** Omitting a transaction renumbers the remaining logs; a single omitted log leaves a gap. */
function without(omission: Omission, logs: readonly RpcLog[], victims: readonly RpcLog[]): RpcLog[] {
  const left = logs.filter((log) => !victims.includes(log))
  return omission === 'omitted-transaction'
    ? left.map((log, index) => ({ ...log, logIndex: `0x${index.toString(16)}` }))
    : left
}

/**
 * Logs of a block or a range, with some omitted from the last block that has any; null without candidates.
 */
export function omitLogs(omission: Omission, logs: readonly RpcLog[]): RpcLog[] | null {
  const block = logs.filter(({ blockHash }) => blockHash === logs.at(-1)?.blockHash)
  const victims = victimsOf(omission, block)
  return victims.length === 0
    ? null
    : [...logs.slice(0, logs.length - block.length), ...without(omission, block, victims)]
}

/** Receipts of a block with the same logs omitted. Empty receipts get an empty bloom. */
export function omitReceiptLogs(omission: Omission, receipts: readonly RpcReceipt[]): RpcReceipt[] | null {
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const victims = victimsOf(omission, logs)
  if (victims.length === 0) return null
  const left = without(omission, logs, victims)
  return receipts.map((receipt) => {
    const own = left.filter(({ transactionHash }) => transactionHash === receipt.transactionHash)
    return own.length === 0 ? { ...receipt, logs: own, logsBloom: emptyBloom } : { ...receipt, logs: own }
  })
}
