import type { Witness, WitnessedTransfer } from '../src/chains/chain.ts'
import { pause } from '../src/platform/wait.ts'
import { advanceFinality } from './advanceFinality.ts'
import { hasWitness, type IndexerContext } from './context.ts'
import { FencedError, idleGuard } from './cursor.ts'
import type { FinalityTold } from './finality.ts'

interface Waiting {
  height: number
  id: string
  source: string
  /** Since the block's payments were detected, in milliseconds. */
  waitedMs: number
  /** All of the block's payments: the other provider is asked for them together. */
  transfers: WitnessedTransfer[]
  /** Of these, those that another provider once did not have. */
  disputed: Set<string>
}

/** Blocks that are asked about in one round, of each kind. */
const mostBlocks = 50

/** Blocks that pay somebody, and those that only moved something of monitored addresses. */
const kinds = ['payments', 'monitored'] as const
type Kind = (typeof kinds)[number]

/** What both rounds have in common. */
interface Rounds {
  /** What is already told stays quiet until it changes. */
  told: Set<string>
  open: Record<Kind, number>
}

/**
 * Before a payment is credited, a second provider must have found the same in the same block, where there was one when the
 * payment was found: to take a provider out of the configuration does not settle what was in dispute. Runs beside the loop that reads
 * the head, so that a disagreement holds up the payments of its block and nothing else. A provider that answers nothing at
 * all is not a disagreement: after `witnessMs` the payment goes on without it, and that is counted. What was once in dispute does not:
 * a liar needs only to wait until the honest one is down. Payments have rounds of their own: the many movements of monitored addresses
 * never hold them up.
 */
export async function witnessPayments(ctx: IndexerContext & { finality: FinalityTold }): Promise<void> {
  const rounds: Rounds = { told: new Set(), open: { payments: 0, monitored: 0 } }
  await Promise.all(kinds.map((kind) => witnessKind(ctx, kind, rounds)))
}

async function witnessKind(ctx: IndexerContext & { finality: FinalityTold }, kind: Kind, { told, open }: Rounds): Promise<void> {
  // Heights in the order in which they were asked about last.
  const asked = new Set<number>()
  // As often as blocks come. Without a second provider only those of a former configuration wait: a new payment needs no agreement.
  const idleMs = hasWitness(ctx.chain) ? Math.min(ctx.pollMs, ctx.chain.blockMs) : Math.max(ctx.pollMs, 1000)
  while (!ctx.signal.aborted) {
    const blocks = await waiting(ctx, kind, [...asked])
    open[kind] = blocks.length
    ctx.metrics.awaitingAgreement.set(open.payments + open.monitored)
    // Then these are all that wait: what was asked about before is settled.
    if (blocks.length < mostBlocks) asked.clear()
    let agreed = 0
    for (const block of blocks) {
      if (ctx.signal.aborted) return
      asked.delete(block.height)
      const settled = await settle(ctx, block, told)
      if (settled.length < block.transfers.length) asked.add(block.height)
      agreed += await agree(ctx, block, settled)
    }
    if (agreed > 0) await advanceFinality(ctx, ctx.finality.height())
    await pause(blocks.length > 0 ? Math.min(ctx.pollMs, 250) : idleMs, ctx.signal)
  }
}

/** @returns the transfers that count from now on */
async function settle(ctx: IndexerContext, block: Waiting, told: Set<string>): Promise<readonly WitnessedTransfer[]> {
  const { said, found } = await ask(ctx, block)
  if (said === 'disagrees') {
    const missing = block.transfers.filter((transfer) => !found.includes(transfer))
    await disagreed(ctx, block, missing, told)
  }
  if (said === 'agrees' || said === 'disagrees') return found
  const undisputed = block.transfers.filter((transfer) => !block.disputed.has(keyOf(transfer)))
  if (undisputed.length === 0 || block.waitedMs < ctx.witnessMs) return []
  ctx.metrics.unwitnessed.inc()
  ctx.log.warn({ height: block.height, said }, 'no second provider answered about a block that credits money; going on with one')
  return undisputed
}

async function disagreed(ctx: IndexerContext, block: Waiting, missing: readonly WitnessedTransfer[], told: Set<string>): Promise<void> {
  ctx.metrics.disagreements.inc()
  await dispute(ctx, block, missing)
  if (told.has(block.id)) return
  told.add(block.id)
  ctx.log.error(
    { height: block.height, id: block.id, source: block.source, transactions: missing.map(({ txId }) => txId) },
    'another provider does not have this block, or not these payments: none of them is credited until they agree',
  )
  // It may be one of another chain by now.
  await ctx.reader.verify().catch(() => {})
}

/**
 * Of a block that is disputed, what each watched address received or sent of an asset is asked about by itself: a forged payment does not
 * hold up the others. One that is watched on both sides is found when both are right.
 */
async function ask(ctx: IndexerContext, block: Waiting): Promise<{ said: Witness; found: WitnessedTransfer[] }> {
  const said = await ctx.reader.witness(block, block.transfers)
  if (said !== 'disagrees') return { said, found: said === 'agrees' ? block.transfers : [] }
  const groups = groupsOf(block.transfers)
  if (groups.length < 2) return { said, found: [] }
  const wrong = new Set<string>()
  for (const group of groups) if ((await ctx.reader.witness(block, group)) !== 'agrees') for (const each of group) wrong.add(keyOf(each))
  return { said, found: block.transfers.filter((transfer) => !wrong.has(keyOf(transfer))) }
}

function groupsOf(transfers: readonly WitnessedTransfer[]): WitnessedTransfer[][] {
  const of = (side: 'to' | 'from') => {
    const watched = transfers.filter((each) => each.side === side || each.side === 'both').map((each) => ({ ...each, side }))
    return [...Map.groupBy(watched, (each) => `${each[side]} ${each.contract}`).values()]
  }
  return [...of('to'), ...of('from')]
}

/** A monitored address is its watch's own subject; so is the platform's account, which is no business's. */
const isMonitored = '(business_id is not null and subject_id = watch_id)'
/** Of the chain $1: nobody has agreed to it yet. */
const isOpen = "chain = $1 and status = 'seen' and needs_agreement and agreed_at is null"

/**
 * The businesses take turns; of each those that were never asked about come first, then those that wait for it longest: neither the many
 * of one business nor what stays in dispute keeps others out.
 */
async function waiting(ctx: IndexerContext, kind: Kind, asked: readonly number[]): Promise<Waiting[]> {
  // Mostly nothing waits, and the other statement takes more than a millisecond to plan.
  const [any] = await ctx.db.query(`select 1 from detections where ${isOpen} limit 1`, [ctx.chain.name])
  if (!any) return []
  const rows = await ctx.db.query<{
    height: string
    id: string
    source: string
    waited: number
    disputed: string[]
    transfers: (Omit<WitnessedTransfer, 'amount'> & { amount: string })[]
  }>(
    `with open as (
       select block_height as height, min(business_id::text) as business, bool_or(disputed_at is not null) as disputed,
         coalesce(min(a.n), 0) as asked
       from detections left join unnest($4::bigint[]) with ordinality a(height, n) on a.height = block_height
       where ${isOpen}
       group by block_height having bool_and(${isMonitored}) = $3),
     turns as (select *, row_number() over (partition by business order by asked, disputed, height) as turn from open),
     chosen as (select height, turn, asked from turns order by turn, asked, disputed, height limit $2)
     select t.block_height as height, t.block_id as id, coalesce(min(t.source), '') as source,
       extract(epoch from now() - max(d.unagreed_since))::float * 1000 as waited,
       jsonb_agg(jsonb_build_object('txId', t.tx_id, 'movementKey', t.movement_key, 'contract', t.contract, 'from', t.from_address,
         'to', t.to_address, 'amount', t.amount::text, 'side', case when d.received and d.sent then 'both' when d.sent then 'from' else 'to' end)) as transfers,
       coalesce(array_agg(t.tx_id || ' ' || t.movement_key) filter (where d.disputed), '{}') as disputed
     from transfers t join (
       select transfer_id, bool_or(direction <> 'out') as received, bool_or(direction <> 'in') as sent, bool_or(disputed_at is not null) as disputed,
         max(seen_at) filter (where agreed_at is null) as unagreed_since
       from detections where chain = $1 and block_height in (select height from chosen)
       group by transfer_id) d on d.transfer_id = t.id join chosen c on c.height = t.block_height
     where t.canonical and t.block_id in (
       select u.block_id from detections open join transfers u on u.id = open.transfer_id
       where open.chain = $1 and open.block_height in (select height from chosen) and open.status = 'seen' and open.needs_agreement
         and open.agreed_at is null)
     group by t.block_height, t.block_id order by min(c.turn), min(c.asked), t.block_height`,
    [ctx.chain.name, mostBlocks, kind === 'monitored', asked],
  )
  return rows.map((row) => ({
    height: Number(row.height),
    id: row.id,
    source: row.source,
    waitedMs: row.waited,
    transfers: row.transfers.map((transfer) => ({ ...transfer, amount: BigInt(transfer.amount) })),
    disputed: new Set(row.disputed),
  }))
}

/** Only what was compared: a payment that was found in the block since waits for the next round. */
async function agree(ctx: IndexerContext, block: Waiting, transfers: readonly WitnessedTransfer[]): Promise<number> {
  if (transfers.length === 0) return 0
  return ctx.db.tx(async (tx) => {
    const [lead] = await tx.query(`select ${idleGuard} from chain_cursors where chain = $1 and epoch = $2 for share`, [
      ctx.chain.name,
      ctx.epoch.toString(),
    ])
    if (!lead) throw new FencedError(ctx.chain.name)
    const rows = await tx.query(
      `update detections d set agreed_at = now() from transfers t
       where t.id = d.transfer_id and d.chain = $1 and d.status = 'seen' and d.agreed_at is null and t.block_id = $2
         and (t.tx_id, t.movement_key) in (select * from unnest($3::text[], $4::text[])) returning d.id`,
      [ctx.chain.name, block.id, transfers.map(({ txId }) => txId), transfers.map(({ movementKey }) => movementKey)],
    )
    return rows.length
  })
}

const keyOf = ({ txId, movementKey }: Pick<WitnessedTransfer, 'txId' | 'movementKey'>) => `${txId} ${movementKey}`

/** Keeps that another provider did not have these payments, also over a restart. */
async function dispute(ctx: IndexerContext, block: Waiting, transfers: readonly WitnessedTransfer[]): Promise<void> {
  const fresh = transfers.filter((transfer) => !block.disputed.has(keyOf(transfer)))
  if (fresh.length === 0) return
  await ctx.db.query(
    `update detections d set disputed_at = now() from transfers t
     where t.id = d.transfer_id and d.chain = $1 and d.status = 'seen' and d.agreed_at is null and t.block_id = $2
       and (t.tx_id, t.movement_key) in (select * from unnest($3::text[], $4::text[]))`,
    [ctx.chain.name, block.id, fresh.map(({ txId }) => txId), fresh.map(({ movementKey }) => movementKey)],
  )
}
