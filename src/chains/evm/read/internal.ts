import { ProviderError, type Transfer } from '../../chain.ts'
import { namedInternals } from '../../internalMovements.ts'
import { storableTransfers } from '../../storable.ts'
import {
  type CallFrame,
  isStateSync,
  type PrestateDiff,
  type RpcBlock,
  type TraceResult,
} from '../rpcTypes.ts'
import { createdBy } from './movements.ts'

/** geth's tracers that show internal transfers, the better one first. */
export const tracers = ['callTracer', 'prestateTracer'] as const
export type Tracer = (typeof tracers)[number]

export const tracerOptions = (tracer: Tracer) =>
  tracer === 'callTracer' ? { tracer } : { tracer, tracerConfig: { diffMode: true } }

/**
 * Calls that move value from caller to callee. A delegate call runs in its caller; a static call carries no
 * value.
 */
const moving = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT', 'SUICIDE'])

/**
 * Native transfers by calls within transactions.
 * @param answered the answer of `debug_traceBlockByHash`: one result for each transaction, in order
 * @throws ProviderError where the traces do not match the block
 */
export function internalTransfers(
  block: Pick<RpcBlock, 'number' | 'miner' | 'transactions'>,
  tracer: Tracer,
  answered: unknown,
): Transfer[] {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(answered)) throw new ProviderError(`${at}: traces are not a list`)
  // Nodes omit Polygon's state sync, which is not executed as a transaction.
  const byHash = new Map<string, TraceResult>()
  for (const [index, each] of (
    answered as { txHash?: string; result?: TraceResult; error?: string }[]
  ).entries()) {
    if (!each?.result) throw new ProviderError(`${at}: trace ${index}: ${each?.error ?? 'no result'}`)
    const txId = each.txHash ?? block.transactions[index]?.hash
    if (txId) byHash.set(txId, each.result)
  }
  const transfers = block.transactions.flatMap((transaction) => {
    const result = byHash.get(transaction.hash)
    if (!result && isStateSync(transaction)) return []
    if (!result) throw new ProviderError(`${at}: no trace of ${transaction.hash}`)
    return tracer === 'callTracer'
      ? transfersOfFrame(transaction.hash, result as CallFrame)
      : transfersOfDiff(block, transaction, result as PrestateDiff)
  })
  return storableTransfers(transfers)
}

/** Transfers below a transaction's own call; the transaction's own value is not internal. */
function transfersOfFrame(txId: string, root: CallFrame): Transfer[] {
  const calls: Omit<Transfer, 'movementKey'>[] = []
  const walk = (frame: CallFrame) => {
    // A failed call reverts itself and all calls below it.
    if (frame.error) return
    if (frame !== root && frame.to && moving.has(frame.type.toUpperCase())) {
      const amount = BigInt(frame.value ?? '0x0')
      if (amount > 0n)
        calls.push({
          txId,
          contract: null,
          from: frame.from.toLowerCase(),
          to: frame.to.toLowerCase(),
          amount,
        })
    }
    for (const call of frame.calls ?? []) walk(call)
  }
  walk(root)
  return namedInternals(calls)
}

/**
 * The net gain of each account in a transaction, without the transaction's own value. Keyed by account:
 * several calls may add up to one gain. Sender and fee recipient are left out: their differences include gas,
 * and neither is ever a deposit address.
 */
function transfersOfDiff(
  block: Pick<RpcBlock, 'miner'>,
  transaction: RpcBlock['transactions'][number],
  diff: PrestateDiff,
): Transfer[] {
  const from = transaction.from?.toLowerCase() ?? ''
  const excluded = new Set([from, block.miner?.toLowerCase()])
  return Object.entries(diff.post).flatMap(([account, after]) => {
    const to = account.toLowerCase()
    if (after.balance === undefined || excluded.has(to)) return []
    const value = BigInt(transaction.value ?? '0x0')
    const gained = BigInt(after.balance) - BigInt(diff.pre[account]?.balance ?? '0x0')
    // The transaction's own value, to its recipient or the contract that it created, is not internal.
    const receivesValue = to === (transaction.to ?? createdBy(transaction))?.toLowerCase()
    const amount = receivesValue ? gained - value : gained
    return amount > 0n
      ? [{ txId: transaction.hash, movementKey: `trace:net:${to}`, contract: null, from, to, amount }]
      : []
  })
}
