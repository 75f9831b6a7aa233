import type { Transfer, Witness } from '../src/chains/chain.ts'
import { pause } from '../src/platform/wait.ts'
import { advanceFinality } from './advanceFinality.ts'
import type { IndexerContext } from './context.ts'
import { FencedError, idleGuard } from './cursor.ts'
import type { FinalityTold } from './finality.ts'

interface Waiting {
  height: number
  id: string
  source: string
  /** Since the block's payments were detected, in milliseconds. */
  waitedMs: number
  /** All of the block's payments: the other provider is asked for them together. */
  transfers: Transfer[]
  /** Of these, those that another provider once did not have. */
  disputed: Set<string>
}

/** Blocks that are asked about in one round. */
const mostBlocks = 50

/**
 * Before a payment is credited, a second provider must have found the same in the same block, where there was one when the
 * payment was found: to take a provider out of the configuration does not settle what was in dispute. Runs beside the loop that reads
 * the head, so that a disagreement holds up the payments of its block and nothing else. A provider that answers nothing at
 * all is not a disagreement: after `witnessMs` the payment goes on without it, and that is counted. What was once in dispute does not:
 * a liar needs only to wait until the honest one is down.
 */
export async function witnessPayments(ctx: IndexerContext & { finality: FinalityTold }): Promise<void> {
  // What is already told stays quiet until it changes.
  const told = new Set<string>()
  while (!ctx.signal.aborted) {
    const blocks = await waiting(ctx)
    ctx.metrics.awaitingAgreement.set(blocks.length)
    let agreed = 0
    for (const block of blocks) {
      if (ctx.signal.aborted) return
      const { said, found } = await ask(ctx, block)
      const isSilent = said !== 'agrees' && said !== 'disagrees'
      const undisputed = block.transfers.filter((transfer) => !block.disputed.has(keyOf(transfer)))
      const goesOn = isSilent && undisputed.length > 0 && block.waitedMs >= ctx.witnessMs
      if (said === 'disagrees') {
        ctx.metrics.disagreements.inc()
        const missing = block.transfers.filter((transfer) => !found.includes(transfer))
        await dispute(ctx, block, missing)
        if (!told.has(block.id)) {
          told.add(block.id)
          ctx.log.error(
            { height: block.height, id: block.id, source: block.source, transactions: missing.map(({ txId }) => txId) },
            'another provider does not have this block, or not these payments: none of them is credited until they agree',
          )
          // It may be one of another chain by now.
          await ctx.reader.verify().catch(() => {})
        }
      } else if (goesOn) {
        ctx.metrics.unwitnessed.inc()
        ctx.log.warn({ height: block.height, said }, 'no second provider answered about a block that credits money; going on with one')
      }
      agreed += await agree(ctx, block, goesOn ? undisputed : found)
    }
    if (agreed > 0) await advanceFinality(ctx, ctx.finality.height())
    // At once while there is something to look at, else as often as blocks come.
    await pause(blocks.length > 0 ? Math.min(ctx.pollMs, 250) : Math.min(ctx.pollMs, ctx.chain.blockMs), ctx.signal)
  }
}

/** Of a block that is disputed, each recipient's payments are asked about by themselves: a forged one does not hold up the others. */
async function ask(ctx: IndexerContext, block: Waiting): Promise<{ said: Witness; found: Transfer[] }> {
  const said = await ctx.reader.witness(block, block.transfers)
  if (said !== 'disagrees') return { said, found: said === 'agrees' ? block.transfers : [] }
  const groups = [...Map.groupBy(block.transfers, ({ to, contract }) => `${to} ${contract}`).values()]
  const found: Transfer[] = []
  if (groups.length > 1) {
    for (const group of groups) if ((await ctx.reader.witness(block, group)) === 'agrees') found.push(...group)
  }
  return { said, found }
}

async function waiting(ctx: IndexerContext): Promise<Waiting[]> {
  const rows = await ctx.db.query<{
    height: string
    id: string
    source: string
    waited: number
    disputed: string[]
    transfers: { txId: string; movementKey: string; contract: string | null; from: string; to: string; amount: string }[]
  }>(
    `select t.block_height as height, t.block_id as id, coalesce(min(t.source), '') as source,
       extract(epoch from now() - max(d.seen_at) filter (where d.agreed_at is null))::float * 1000 as waited,
       jsonb_agg(distinct jsonb_build_object('txId', t.tx_id, 'movementKey', t.movement_key, 'contract', t.contract, 'from', t.from_address,
         'to', t.to_address, 'amount', t.amount::text)) as transfers,
       coalesce(array_agg(t.tx_id || ' ' || t.movement_key) filter (where d.disputed_at is not null), '{}') as disputed
     from transfers t join detections d on d.transfer_id = t.id
     where t.chain = $1 and t.canonical and d.chain = $1 and (d.block_height, t.block_id) in (
       select open.block_height, u.block_id from detections open join transfers u on u.id = open.transfer_id
       where open.chain = $1 and open.status = 'seen' and open.needs_agreement and open.agreed_at is null)
     group by t.block_height, t.block_id order by t.block_height limit $2`,
    [ctx.chain.name, mostBlocks],
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
async function agree(ctx: IndexerContext, block: Waiting, transfers: readonly Transfer[]): Promise<number> {
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

const keyOf = ({ txId, movementKey }: Pick<Transfer, 'txId' | 'movementKey'>) => `${txId} ${movementKey}`

/** Keeps that another provider did not have these payments, also over a restart. */
async function dispute(ctx: IndexerContext, block: Waiting, transfers: readonly Transfer[]): Promise<void> {
  const fresh = transfers.filter((transfer) => !block.disputed.has(keyOf(transfer)))
  if (fresh.length === 0) return
  await ctx.db.query(
    `update detections d set disputed_at = now() from transfers t
     where t.id = d.transfer_id and d.chain = $1 and d.status = 'seen' and d.agreed_at is null and t.block_id = $2
       and (t.tx_id, t.movement_key) in (select * from unnest($3::text[], $4::text[]))`,
    [ctx.chain.name, block.id, fresh.map(({ txId }) => txId), fresh.map(({ movementKey }) => movementKey)],
  )
}
