import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { checkSoon } from '../wallets/checkSoon.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
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
  /**
   * When a worker takes it further, unless a change of its intents has made it due meanwhile; null: only such
   * a change does.
   */
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

const events: Partial<Record<string, EventType>> = {
  in_progress: 'bridge.in_progress',
  completed: 'bridge.completed',
  failed: 'bridge.failed',
}

/**
 * Stores a change of a transfer, and publishes another status. Does nothing if it has changed since it was
 * read.
 * @returns false if it has
 */
export async function moveBridge(tx: Tx, was: BridgeTransfer, move: Move): Promise<boolean> {
  const after = await change(tx, was, move)
  if (after && after.status !== was.status) publish(tx, after)
  return after !== null
}

/** A change that keeps the status. @returns the row after it; null: it has changed since it was read */
export const moveWithin = (
  ctx: Pick<BridgeContext, 'db'>,
  was: BridgeTransfer,
  move: Omit<Move, 'status'>,
): Promise<BridgeTransfer | null> => change(ctx.db, was, move)

/**
 * The same as `moveBridge`, in a transaction of its own, whose statements go to Postgres together. Without
 * another status it is one statement.
 */
export async function tryMove(
  ctx: Pick<BridgeContext, 'db'>,
  was: BridgeTransfer,
  move: Move,
): Promise<boolean> {
  if ((move.status ?? was.status) === was.status) return (await change(ctx.db, was, move)) !== null
  const publishChange = async (tx: Tx) => {
    const { nextInMs, ...changed } = move
    const updatedAt = new Date()
    tx.send(sqlOf(namesOf(changed)).strict, [...valuesOf(was, nextInMs, changed), updatedAt])
    publish(tx, { ...was, ...changed, updatedAt })
    return true
  }
  return ctx.db.tx(publishChange).catch((error: { code?: unknown }) => {
    if (error.code !== divisionByZero) throw error
    return false
  })
}

export async function storeMove(
  ctx: Pick<BridgeContext, 'db'>,
  was: BridgeTransfer,
  move: Move,
): Promise<void> {
  await tryMove(ctx, was, move)
}

type Stored = Pick<BridgeTransfer, 'nextAt' | 'updatedAt'>

/** @returns the row after it; null: it was not as it was read */
async function change(
  db: Queryable,
  was: BridgeTransfer,
  { nextInMs, ...changed }: Move,
): Promise<BridgeTransfer | null> {
  const [stored] = await db.query<Stored>(sqlOf(namesOf(changed)).single, valuesOf(was, nextInMs, changed))
  // Of the rest, another worker may have changed only what a step without a claim changes: why it is late,
  // and its tries.
  return stored ? { ...was, ...changed, ...stored } : null
}

/** The code of Postgres for what `strict` fails with. */
const divisionByZero = '22012'

interface Sql {
  single: string
  /**
   * Fails where the row is not as it was read: so what follows in its transaction need not wait for its
   * answer. That is rare, and costs the connection.
   */
  strict: string
}

/** By the names of the columns: the texts are long, and there are few. */
const known = new Map<string, Sql>()

function sqlOf(names: Names): Sql {
  const key = names.join()
  const made = known.get(key) ?? {
    single: prepared(
      `${changeSql(names, (shown) => `case when ${shown} then now() else updated_at end`)} returning next_at::text as "nextAt", updated_at as "updatedAt"`,
    ),
    strict: prepared(
      `with changed as (${changeSql(names, () => `$${names.length + 8}::timestamptz`)} returning 1) select 1 / count(*) from changed`,
    ),
  }
  known.set(key, made)
  return made
}

type Names = readonly (keyof Changed)[]
const namesOf = (changed: Changed): Names => Object.keys(changed) as (keyof Changed)[]

function valuesOf(was: BridgeTransfer, nextInMs: number | null, changed: Changed): unknown[] {
  const values = namesOf(changed).map((name) =>
    typeof changed[name] === 'bigint' ? String(changed[name]) : changed[name],
  )
  return [
    was.id,
    was.nextAt,
    nextInMs,
    was.status,
    was.attestation,
    was.mintIntentId,
    was.reclaimIntentId,
    ...values,
  ]
}

/** The update waits for the row's lock, and then checks that it is as it was read. */
function changeSql(names: Names, updated: (shown: string) => string): string {
  const given = names.map((name, i) => ({ name, column: columnOf[name], value: `$${i + 8}` }))
  const shown = given
    .filter(({ name }) => !hidden.has(name))
    .map(({ column, value }) => `${column} is distinct from ${value}`)
  return `update bridge_transfers set
       next_at = case when next_at is not distinct from $2::timestamptz then now() + $3 * interval '1 millisecond' else next_at end,
       updated_at = ${updated(shown.join(' or ') || 'false')}
       ${given.map(({ column, value }) => `, ${column} = ${value}`).join('')}
     where id = $1 and status = $4 and attestation is not distinct from $5
       and mint_intent_id is not distinct from $6 and reclaim_intent_id is not distinct from $7`
}

function publish(tx: Tx, row: BridgeTransfer): void {
  const type = events[row.status]
  if (type === undefined) return
  if (row.status === 'in_progress')
    checkSoon(tx, { walletId: row.walletId, businessId: row.businessId, chain: row.sourceChain })
  const view = presentBridge(row)
  const txId = row.status === 'completed' ? view.destinationTxHash : view.sourceTxHash
  const about = {
    chain: view.sourceChain,
    address: view.destinationAddress,
    symbol: 'USDC',
    amount: view.amount,
    txId,
  }
  recordEvents(tx, row.businessId, [{ type, data: view, about }])
}
