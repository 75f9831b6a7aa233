/** Logs that are left out of a block whose hash stays the same: what a provider whose index lost rows answers. */
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

/** Of a block's logs, those that are left out. */
function victimsOf(omission: Omission, logs: readonly RpcLog[]): readonly RpcLog[] {
  if (omission === 'omitted-last-log') return logs.slice(-1)
  if (omission === 'omitted-transaction') return logs.filter(({ transactionHash }) => transactionHash === logs[0]?.transactionHash)
  return logs.length < 3 ? [] : logs.slice(Math.floor(logs.length / 2), Math.floor(logs.length / 2) + 1)
}

/** Where a whole transaction is missing its index has closed up; a row alone leaves a gap. */
function without(omission: Omission, logs: readonly RpcLog[], victims: readonly RpcLog[]): RpcLog[] {
  const left = logs.filter((log) => !victims.includes(log))
  return omission === 'omitted-transaction' ? left.map((log, index) => ({ ...log, logIndex: `0x${index.toString(16)}` })) : left
}

/** The logs of one block or of a range, less some of the last block that has any; null where there is nothing to leave out. */
export function omitLogs(omission: Omission, logs: readonly RpcLog[]): RpcLog[] | null {
  const block = logs.filter(({ blockHash }) => blockHash === logs.at(-1)?.blockHash)
  const victims = victimsOf(omission, block)
  return victims.length === 0 ? null : [...logs.slice(0, logs.length - block.length), ...without(omission, block, victims)]
}

/** The receipts of one block with the same left out. The bloom of a receipt that lost all its logs says so. */
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
