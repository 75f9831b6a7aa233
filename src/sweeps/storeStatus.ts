import { platformAccount } from '../ledger/account.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { pollEvery, type SweepingChain, type SweepStep, type SweepsContext } from './context.ts'
import type { NextSweep, SweepStatus } from './nextSweep.ts'
import { lockClaimed, type Sweep } from './sweepRow.ts'

/** Stores a state that needs nothing more than time. */
export async function storeStatus(
  ctx: SweepsContext,
  { chain }: Pick<SweepingChain, 'chain'>,
  sweep: Sweep,
  next: NextSweep,
): Promise<void> {
  const stored = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, sweep)
    if (!now) return false
    await setStatus(tx, sweep, next, pollEvery(ctx, chain))
    if (next.act === 'book') await post(tx, [movedElsewhere(sweep)])
    return true
  })
  if (!stored) return
  if (next.status !== sweep.status) {
    const step = stepOf(sweep, next)
    if (step) ctx.observe(step, sweep.chain)
    if (next.status === 'failed')
      ctx.log.warn(
        { sweep: sweep.id, chain: sweep.chain, reason: next.reason },
        'a sweep failed; its address is planned again',
      )
    failpoint('sweeps.settled')
  }
}

/** The entry of a sweep that no intent of the platform has moved, and whose fee another sender has paid. */
const movedElsewhere = ({ id, chain, symbol, amount }: Sweep): Entry => ({
  kind: 'sweep.posted',
  businessId: null,
  cause: { kind: 'sweep', id },
  step: 1,
  postings: [
    { account: platformAccount(`treasury:${chain}`, tokenAsset(chain, symbol)), amount },
    { account: platformAccount(`deposits:${chain}`, tokenAsset(chain, symbol)), amount: -amount },
  ],
})

function stepOf({ status }: Sweep, next: Pick<NextSweep, 'status'>): SweepStep | null {
  if (status === 'swept' && next.status === 'sending') return 'taken_back'
  if (next.status === 'failed') return 'failed'
  return next.status === 'swept' || (next.status === 'done' && status !== 'swept') ? 'swept' : null
}

const isEnd = (status: Sweep['status']): boolean => status === 'done' || status === 'failed'
/** An address whose sweeps fail waits longer each time, up to a day. */
const backoffSql = "least(power(2, failures) * interval '1 minute', interval '1 day')"

/**
 * A change of an intent, and an authorization, take a sweep further at once: then the next poll may come
 * late.
 */
const patience: Partial<Record<SweepStatus, number>> = { authorizing: 5, funding: 5, sending: 5, swept: 5 }

/** The end of a sweep plans its address again: another asset, or what gas has left there. */
async function setStatus(
  tx: Tx,
  { id, chain, address }: Sweep,
  { status, reason, tries }: Omit<NextSweep, 'act'>,
  pollMs: number,
): Promise<void> {
  const over = isEnd(status)
  await tx.query(
    `update sweeps set status = $2, reason = $3, tries = $4, next_at = case when not $5 then now() + $6 * interval '1 millisecond' end,
       updated_at = case when status <> $2 then now() else updated_at end where id = $1`,
    [id, status, reason, tries, over, pollMs * (patience[status] ?? 1) * (1 + 4 * tries)],
  )
  if (!over) return
  const failed = status === 'failed'
  await tx.query(
    `update sweep_sources set failures = case when $3 then failures + 1 else 0 end, next_at = now() + case when $3 then ${backoffSql} else interval '0' end
     where chain = $1 and address = $2`,
    [chain, address, failed],
  )
}
