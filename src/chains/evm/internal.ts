import { ProviderError, type Transfer } from '../chain.ts'
import { namedInternals } from '../internalMovements.ts'
import { createdBy } from './movements.ts'
import { type CallFrame, isStateSync, type PrestateDiff, type RpcBlock, type TraceResult } from './rpcTypes.ts'

/** The tracers of geth that tell internal movements, the better one first. */
export const tracers = ['callTracer', 'prestateTracer'] as const
export type Tracer = (typeof tracers)[number]

export const tracerOptions = (tracer: Tracer) => (tracer === 'callTracer' ? { tracer } : { tracer, tracerConfig: { diffMode: true } })

/** Calls that move value from their caller to their callee. A delegate call runs in the caller, a static call has no value. */
const moving = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT', 'SUICIDE'])

/**
 * The native movements that calls within transactions made.
 * @param answered what `debug_traceBlockByHash` gave: one result for each transaction, in order
 * @throws ProviderError where the traces are not those of the block
 */
export function internalTransfers(block: Pick<RpcBlock, 'number' | 'miner' | 'transactions'>, tracer: Tracer, answered: unknown): Transfer[] {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(answered)) throw new ProviderError(`${at}: no list of traces`)
  // Nodes leave out what never runs as a transaction: Polygon's state sync.
  const byHash = new Map<string, TraceResult>()
  for (const [index, each] of (answered as { txHash?: string; result?: TraceResult; error?: string }[]).entries()) {
    if (!each?.result) throw new ProviderError(`${at}: trace ${index}: ${each?.error ?? 'no result'}`)
    const txId = each.txHash ?? block.transactions[index]?.hash
    if (txId) byHash.set(txId, each.result)
  }
  return block.transactions.flatMap((transaction) => {
    const result = byHash.get(transaction.hash)
    if (!result && isStateSync(transaction)) return []
    if (!result) throw new ProviderError(`${at}: no trace of ${transaction.hash}`)
    return tracer === 'callTracer' ? ofFrame(transaction.hash, result as CallFrame) : ofDiff(block, transaction, result as PrestateDiff)
  })
}

/** The movements below a transaction's own call; its own value is no internal one. */
function ofFrame(txId: string, root: CallFrame): Transfer[] {
  const movements: Omit<Transfer, 'movementKey'>[] = []
  const walk = (frame: CallFrame) => {
    // A call that failed took back all that it and those below it did.
    if (frame.error) return
    if (frame !== root && frame.to && moving.has(frame.type.toUpperCase())) {
      const amount = BigInt(frame.value ?? '0x0')
      if (amount > 0n) movements.push({ txId, contract: null, from: frame.from.toLowerCase(), to: frame.to.toLowerCase(), amount })
    }
    for (const call of frame.calls ?? []) walk(call)
  }
  walk(root)
  return namedInternals(movements)
}

/**
 * What each account gained in a transaction beyond its own value, under a key of the account: several calls may have made it up. Sender and fee recipient are left out: gas is mixed into
 * their differences, and neither is ever a deposit address.
 */
function ofDiff(block: Pick<RpcBlock, 'miner'>, transaction: RpcBlock['transactions'][number], diff: PrestateDiff): Transfer[] {
  const from = transaction.from?.toLowerCase() ?? ''
  const apart = new Set([from, block.miner?.toLowerCase()])
  return Object.entries(diff.post).flatMap(([account, after]) => {
    const to = account.toLowerCase()
    if (after.balance === undefined || apart.has(to)) return []
    const value = BigInt(transaction.value ?? '0x0')
    const gained = BigInt(after.balance) - BigInt(diff.pre[account]?.balance ?? '0x0')
    // The transaction's own value, to its recipient or to the contract that it created, is no internal movement.
    const isOwn = to === (transaction.to ?? createdBy(transaction))?.toLowerCase()
    const amount = isOwn ? gained - value : gained
    return amount > 0n ? [{ txId: transaction.hash, movementKey: `trace:net:${to}`, contract: null, from, to, amount }] : []
  })
}
