import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/db.ts'
import { checkSoon } from '../wallets/checkSoon.ts'
import { type BridgeTransfer, lockBridgeTransfer } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import { presentBridge } from './presentBridge.ts'

type Changed = Partial<
  Pick<
    BridgeTransfer,
    | 'status'
    | 'errorMessage'
    | 'sourceTxId'
    | 'burntAt'
    | 'message'
    | 'attestation'
    | 'nonce'
    | 'executedSpeed'
    | 'fee'
    | 'delay'
    | 'attestedAt'
    | 'expiredMessage'
    | 'mintCursor'
    | 'forwardTxId'
    | 'mintIntentId'
    | 'destinationTxId'
    | 'unburnt'
    | 'reclaimAt'
    | 'reclaimIntentId'
    | 'reclaimedAt'
    | 'tries'
  >
>

/** A change of a transfer. */
export interface Move extends Changed {
  /** When a worker takes it further, unless a change of its intents has made it due meanwhile; null: only such a change does. */
  nextInMs: number | null
}

const columnOf: Record<keyof Changed, string> = {
  status: 'status',
  errorMessage: 'error_message',
  sourceTxId: 'source_tx_id',
  burntAt: 'burnt_at',
  message: 'message',
  attestation: 'attestation',
  nonce: 'nonce',
  executedSpeed: 'executed_speed',
  fee: 'fee',
  delay: 'delay',
  attestedAt: 'attested_at',
  expiredMessage: 'expired_message',
  mintCursor: 'mint_cursor',
  forwardTxId: 'forward_tx_id',
  mintIntentId: 'mint_intent_id',
  destinationTxId: 'destination_tx_id',
  unburnt: 'unburnt',
  reclaimAt: 'reclaim_at',
  reclaimIntentId: 'reclaim_intent_id',
  reclaimedAt: 'reclaimed_at',
  tries: 'tries',
}

/** A caller does not see them. */
const hidden: ReadonlySet<string> = new Set<keyof Changed>([
  ...(['tries', 'attestedAt', 'expiredMessage', 'mintCursor', 'unburnt'] as const),
  ...(['reclaimAt', 'reclaimIntentId', 'reclaimedAt'] as const),
])

const events: Partial<Record<string, EventType>> = { in_progress: 'bridge.in_progress', completed: 'bridge.completed', failed: 'bridge.failed' }

/**
 * Stores a change of a transfer, and publishes another status. Does nothing if it has changed since it was read.
 * @returns false if it has
 */
export async function moveBridge(tx: Tx, was: BridgeTransfer, { nextInMs, ...changed }: Move): Promise<boolean> {
  const now = await lockBridgeTransfer(tx, was.id)
  if (now?.status !== was.status || now.attestation !== was.attestation) return false
  if (now.mintIntentId !== was.mintIntentId || now.reclaimIntentId !== was.reclaimIntentId) return false
  const names = Object.keys(changed) as (keyof Changed)[]
  const shown = names.some((name) => !hidden.has(name) && now[name] !== changed[name])
  const values = names.map((name) => (typeof changed[name] === 'bigint' ? String(changed[name]) : changed[name]))
  const sets = names.map((name, i) => `, ${columnOf[name]} = $${i + 4}`)
  await tx.query(
    `update bridge_transfers set
       next_at = case when next_at is not distinct from $2::timestamptz then now() + $3 * interval '1 millisecond' else next_at end
       ${shown ? ', updated_at = now()' : ''}${sets.join('')}
     where id = $1`,
    [was.id, was.nextAt, nextInMs, ...values],
  )
  const after = await lockBridgeTransfer(tx, was.id)
  if (after && after.status !== was.status) await publish(tx, after)
  return true
}

/** The same, in a transaction of its own. */
export async function storeMove(ctx: Pick<BridgeContext, 'db'>, was: BridgeTransfer, move: Move): Promise<void> {
  await ctx.db.tx((tx) => moveBridge(tx, was, move))
}

async function publish(tx: Tx, row: BridgeTransfer): Promise<void> {
  const type = events[row.status]
  if (type === undefined) return
  if (row.status === 'in_progress') await checkSoon(tx, { walletId: row.walletId, businessId: row.businessId, chain: row.sourceChain })
  const view = presentBridge(row)
  const txId = row.status === 'completed' ? view.destinationTxHash : view.sourceTxHash
  const about = { chain: view.sourceChain, address: view.destinationAddress, symbol: 'USDC', amount: view.amount, txId }
  recordEvents(tx, row.businessId, [{ type, data: view, about }])
}
