import type { CheckedTransfer } from '../src/chains/chain.ts'
import { repeat } from '../src/platform/repeat.ts'
import { advanceFinality } from './advanceFinality.ts'
import { hasSecondProvider, type IndexerContext } from './context.ts'
import { FencedError, idleGuard } from './cursor.ts'
import type { ReportedFinality } from './finality.ts'

/** A payment that waits for agreement, or another one of its block. */
interface ReportedTransfer extends CheckedTransfer {
  /** The provider that reported it first: another one must agree. */
  source: string
  isOpen: boolean
}

interface Waiting {
  height: number
  id: string
  /** Milliseconds since the block's payments were detected. */
  waitedMs: number
  /** All payments of the block: the other providers are read for them together. */
  transfers: ReportedTransfer[]
  /** Those that another provider once did not have. */
  disputed: Set<string>
}

/** A block that was cross-checked and is not settled. */
interface Asked {
  id: string
  tries: number
  /** Time of the next question, in milliseconds since the epoch. */
  dueAt: number
  /** A dispute is logged once. */
  isLogged: boolean
}

/** Blocks in one round, of each kind. */
const maxBlocks = 50

/**
 * Pauses between two questions about one block: the first, the longest in a dispute, the longest while no
 * other provider answers. They double.
 */
const [firstRestMs, disputeRestMs, silenceRestMs] = [250, 60_000, 5_000]

/** Blocks that pay sessions or suspense, and blocks with only transfers of monitored addresses. */
const kinds = ['payments', 'monitored'] as const
type Kind = (typeof kinds)[number]

/**
 * Before a payment is credited, a second provider must report the same transfer in the same block, if one was
 * configured when the payment was detected: removing a provider does not settle a dispute. Runs concurrently
 * with the loop that reads the head, so that a dispute delays only the payments of its block. If no second
 * provider answers, the payment is credited after `crossCheckMs` and counted in a metric. A disputed payment
 * is not: a dishonest provider could otherwise wait until the honest one is down. Payments have their own
 * rounds, so that transfers of monitored addresses never delay them. Pauses grow between questions about a
 * block; a block that replaced it in a reorg is cross-checked at once.
 */
export async function crossCheckPayments(
  ctx: IndexerContext & { finality: ReportedFinality },
): Promise<void> {
  const open: Record<Kind, number> = { payments: 0, monitored: 0 }
  await Promise.all(kinds.map((kind) => crossCheckKind(ctx, kind, open)))
}

async function crossCheckKind(
  ctx: IndexerContext & { finality: ReportedFinality },
  kind: Kind,
  open: Record<Kind, number>,
): Promise<void> {
  // Heights by the time of the last question, oldest first.
  const asked = new Map<number, Asked>()
  // As often as blocks come. Without a second provider, only payments from an earlier configuration wait: new
  // ones need no agreement.
  const idleMs = hasSecondProvider(ctx.chain)
    ? Math.min(ctx.pollMs, ctx.chain.blockMs)
    : Math.max(ctx.pollMs, 1000)
  await repeat(ctx.signal, { everyMs: idleMs }, async () => {
    const resting = new Map(
      [...asked].filter(([, { dueAt }]) => dueAt > Date.now()).map(([height, { id }]) => [height, id]),
    )
    const due = [...asked.keys()].filter((height) => !resting.has(height))
    const blocks = await waitingBlocks(ctx, kind, due, resting)
    open[kind] = blocks.length + resting.size
    ctx.metrics.awaitingAgreement.set(open.payments + open.monitored)
    // The list is complete: blocks that are not on it are settled.
    if (blocks.length < maxBlocks)
      for (const height of due) if (!blocks.some((block) => block.height === height)) asked.delete(height)
    let agreed = 0
    for (const block of blocks) agreed += ctx.signal.aborted ? 0 : await crossCheckBlock(ctx, block, asked)
    if (agreed > 0) await advanceFinality(ctx, ctx.finality.reported())
    const nextMs = Math.min(...[...asked.values()].map(({ dueAt }) => dueAt - Date.now()))
    return blocks.length > 0 ? Math.min(ctx.pollMs, firstRestMs) : Math.max(1, Math.min(idleMs, nextMs))
  })
}

/** @returns how many detections became agreed */
async function crossCheckBlock(
  ctx: IndexerContext,
  block: Waiting,
  asked: Map<number, Asked>,
): Promise<number> {
  const last = asked.get(block.height)
  const before = last?.id === block.id ? last : { id: block.id, tries: 0, dueAt: 0, isLogged: false }
  asked.delete(block.height)
  const { settled, isDisputed } = await compare(ctx, block, before)
  if (block.transfers.some((each) => each.isOpen && !settled.includes(each)))
    asked.set(block.height, nextQuestion(ctx, block, before, isDisputed))
  return recordAgreement(ctx, block, settled)
}

/** Backs off in a dispute, to limit requests to the honest provider. */
function nextQuestion(
  { pollMs, crossCheckMs }: IndexerContext,
  { id, waitedMs }: Waiting,
  { tries, isLogged }: Asked,
  isDisputed: boolean,
): Asked {
  const restMs = Math.min(
    Math.min(pollMs, firstRestMs) * 2 ** tries,
    isDisputed ? disputeRestMs : silenceRestMs,
  )
  // But not past the time at which one provider is enough.
  const leftMs = crossCheckMs - waitedMs
  return {
    id,
    tries: tries + 1,
    dueAt: Date.now() + (leftMs > 0 ? Math.min(restMs, leftMs) : restMs),
    isLogged: isLogged || isDisputed,
  }
}

/** Each payment needs a provider other than its source: a block may have been read from several providers. */
async function compare(
  ctx: IndexerContext,
  block: Waiting,
  asked: Asked,
): Promise<{ settled: ReportedTransfer[]; isDisputed: boolean }> {
  const settled: ReportedTransfer[] = []
  const missing: ReportedTransfer[] = []
  for (const [source, own] of Map.groupBy(
    block.transfers.filter(({ isOpen }) => isOpen),
    (each) => each.source,
  )) {
    const { said, found } = await ctx.reader.crossCheck(
      { height: block.height, id: block.id, source },
      block.transfers,
    )
    const known = own.filter((each) => found.includes(each))
    settled.push(...known)
    if (said === 'disagrees') missing.push(...own.filter((each) => !known.includes(each)))
    else if (said !== 'agrees') settled.push(...creditedAlone(ctx, block, own, said))
  }
  if (missing.length > 0) await reportDispute(ctx, block, missing, asked)
  return { settled, isDisputed: missing.length > 0 }
}

/** Payments that are credited without a second answer. */
function creditedAlone(
  ctx: IndexerContext,
  block: Waiting,
  own: readonly ReportedTransfer[],
  said: string,
): ReportedTransfer[] {
  const undisputed = own.filter((transfer) => !block.disputed.has(keyOf(transfer)))
  if (undisputed.length === 0 || block.waitedMs < ctx.crossCheckMs) return []
  ctx.metrics.unanswered.inc()
  ctx.log.warn(
    { height: block.height, said },
    'no second provider answered about a block that credits money; crediting it with one provider',
  )
  return undisputed
}

async function reportDispute(
  ctx: IndexerContext,
  block: Waiting,
  missing: readonly ReportedTransfer[],
  { isLogged }: Asked,
): Promise<void> {
  ctx.metrics.disagreements.inc()
  await recordDispute(ctx, block, missing)
  if (isLogged) return
  ctx.log.error(
    { height: block.height, id: block.id, payments: missing.map(({ txId, source }) => ({ txId, source })) },
    'another provider does not have this block, or not these payments: they are not credited until the providers agree',
  )
  // It may have switched to another chain.
  await ctx.reader.verify().catch(() => {})
}

/**
 * A monitored address is its watch's own subject; so is the platform's account, which belongs to no business.
 */
const isMonitored = '(business_id is not null and subject_id = watch_id)'
/** Waits for agreement on the chain $1. */
const isOpen = "chain = $1 and status = 'seen' and needs_agreement and agreed_at is null"

/**
 * Round-robin between businesses; within each, blocks never cross-checked come first, then the longest
 * waiting. So neither a busy business nor disputes starve other blocks.
 */
async function waitingBlocks(
  ctx: IndexerContext,
  kind: Kind,
  asked: readonly number[],
  resting: ReadonlyMap<number, string>,
): Promise<Waiting[]> {
  // Usually nothing waits, and planning the other statement takes more than a millisecond.
  const [any] = await ctx.db.query(`select 1 from detections where ${isOpen} limit 1`, [ctx.chain.name])
  if (!any) return []
  const rows = await ctx.db.query<{
    height: string
    id: string
    waited: number
    disputed: string[]
    transfers: (Omit<ReportedTransfer, 'amount'> & { amount: string })[]
  }>(
    `with open as (
       select block_height as height, min(business_id::text) as business, bool_or(disputed_at is not null) as disputed,
         coalesce(min(a.n), 0) as asked
       from detections left join unnest($4::bigint[]) with ordinality a(height, n) on a.height = block_height
       where ${isOpen} and block_height not in (
         select r.height from unnest($5::bigint[], $6::text[]) r(height, id)
         where not exists (select 1 from blocks b where b.chain = $1 and b.height = r.height and b.canonical and b.id <> r.id))
       group by block_height having bool_and(${isMonitored}) = $3),
     turns as (select *, row_number() over (partition by business order by asked, disputed, height) as turn from open),
     chosen as (select height, turn, asked from turns order by turn, asked, disputed, height limit $2)
     select t.block_height as height, t.block_id as id,
       extract(epoch from now() - max(d.unagreed_since))::float * 1000 as waited,
       jsonb_agg(jsonb_build_object('txId', t.tx_id, 'movementKey', t.movement_key, 'contract', t.contract, 'from', t.from_address,
         'to', t.to_address, 'amount', t.amount::text, 'source', coalesce(t.source, ''), 'isOpen', d.open, 'side', case when d.received and d.sent then 'both' when d.sent then 'from' else 'to' end)) as transfers,
       coalesce(array_agg(t.tx_id || ' ' || t.movement_key) filter (where d.disputed), '{}') as disputed
     from transfers t join (
       select transfer_id, bool_or(status = 'seen' and needs_agreement and agreed_at is null) as open, bool_or(direction <> 'out') as received, bool_or(direction <> 'in') as sent, bool_or(disputed_at is not null) as disputed,
         max(seen_at) filter (where agreed_at is null) as unagreed_since
       from detections where chain = $1 and block_height in (select height from chosen)
       group by transfer_id) d on d.transfer_id = t.id join chosen c on c.height = t.block_height
     where t.canonical and t.block_id in (
       select u.block_id from detections open join transfers u on u.id = open.transfer_id
       where open.chain = $1 and open.block_height in (select height from chosen) and open.status = 'seen' and open.needs_agreement
         and open.agreed_at is null)
     group by t.block_height, t.block_id order by min(c.turn), min(c.asked), t.block_height`,
    [ctx.chain.name, maxBlocks, kind === 'monitored', asked, [...resting.keys()], [...resting.values()]],
  )
  return rows.map((row) => ({
    height: Number(row.height),
    id: row.id,
    waitedMs: row.waited,
    transfers: row.transfers.map((transfer) => ({ ...transfer, amount: BigInt(transfer.amount) })),
    disputed: new Set(row.disputed),
  }))
}

/** Only compared transfers: payments found in the block since wait for the next round. */
async function recordAgreement(
  ctx: IndexerContext,
  block: Waiting,
  transfers: readonly CheckedTransfer[],
): Promise<number> {
  if (transfers.length === 0) return 0
  return ctx.db.tx(async (tx) => {
    const [lead] = await tx.query(
      `select ${idleGuard} from chain_cursors where chain = $1 and epoch = $2 for share`,
      [ctx.chain.name, ctx.epoch.toString()],
    )
    if (!lead) throw new FencedError(ctx.chain.name)
    const rows = await tx.query(
      `update detections d set agreed_at = now() from transfers t
       where t.id = d.transfer_id and d.chain = $1 and d.status = 'seen' and d.agreed_at is null and t.block_id = $2
         and (t.tx_id, t.movement_key) in (select * from unnest($3::text[], $4::text[])) returning d.id`,
      [
        ctx.chain.name,
        block.id,
        transfers.map(({ txId }) => txId),
        transfers.map(({ movementKey }) => movementKey),
      ],
    )
    return rows.length
  })
}

const keyOf = ({ txId, movementKey }: Pick<CheckedTransfer, 'txId' | 'movementKey'>) =>
  `${txId} ${movementKey}`

/** Stores that another provider did not have these payments, so that it survives a restart. */
async function recordDispute(
  ctx: IndexerContext,
  block: Waiting,
  transfers: readonly CheckedTransfer[],
): Promise<void> {
  const fresh = transfers.filter((transfer) => !block.disputed.has(keyOf(transfer)))
  if (fresh.length === 0) return
  await ctx.db.query(
    `update detections d set disputed_at = now() from transfers t
     where t.id = d.transfer_id and d.chain = $1 and d.status = 'seen' and d.agreed_at is null and t.block_id = $2
       and (t.tx_id, t.movement_key) in (select * from unnest($3::text[], $4::text[]))`,
    [ctx.chain.name, block.id, fresh.map(({ txId }) => txId), fresh.map(({ movementKey }) => movementKey)],
  )
}
