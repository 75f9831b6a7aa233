import { ProviderError } from '../chains/chain.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import { isDatabaseAway } from '../platform/databaseAway.ts'
import { messageOf } from '../platform/errors.ts'
import { whenDatabaseIsBack } from '../platform/whenDatabaseIsBack.ts'
import { bankLeg } from './bankLeg.ts'
import type { OutflowsContext } from './context.ts'
import { endClaim } from './endClaim.ts'
import { followApproval } from './followApproval.ts'
import { followEnded } from './followEnded.ts'
import type { Leg } from './leg.ts'
import { type Outflow, readOutflows } from './outflow.ts'
import { stopOutflow } from './stopOutflow.ts'
import { walletLeg } from './walletLeg.ts'
import { whyWaits } from './whyWaits.ts'

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 60_000
const retryMs = 5000

/** Takes an outflow one step further. Safe to repeat and to run concurrently. */
export async function stepOutflow(ctx: OutflowsContext, id: string): Promise<void> {
  const outflow = await claim(ctx, id)
  if (!outflow) return
  try {
    await step(ctx, outflow)
  } catch (error) {
    if (isDatabaseAway(error)) void whenDatabaseIsBack(leaseMs, () => release(ctx, outflow))
    if (!(error instanceof ProviderError || error instanceof PartnerError)) throw error
    ctx.log.warn({ outflow: id, err: messageOf(error) }, 'chain or partner does not answer; the outflow goes on later')
    await release(ctx, outflow, ctx.pollMs ?? retryMs)
  }
}

/** Claims an outflow that is due, for the time of a lease. @returns null if it is not due, or another worker has claimed it */
async function claim(ctx: OutflowsContext, id: string): Promise<Outflow | null> {
  const { db } = ctx
  const [due] = await db.query<{ dueAt: string; nextAt: string }>(
    `select next_at::text as "dueAt", (clock_timestamp() + $2 * interval '1 millisecond')::text as "nextAt" from outflows where id = $1 and next_at <= now()`,
    [id, leaseMs],
  )
  if (!due) return null
  try {
    const claimed = await db.query('update outflows set next_at = $3::timestamptz where id = $1 and next_at = $2::timestamptz returning id', [
      id,
      due.dueAt,
      due.nextAt,
    ])
    return claimed.length > 0 ? ((await readOutflows(db, 'id = $1', [id]))[0] ?? null) : null
  } catch (error) {
    // The claim may be stored though its answer was lost.
    if (isDatabaseAway(error)) void whenDatabaseIsBack(leaseMs, () => release(ctx, { id, nextAt: due.nextAt }))
    throw error
  }
}

const release = ({ db }: OutflowsContext, { id, nextAt }: Pick<Outflow, 'id' | 'nextAt'>, inMs = 0) =>
  db.query("update outflows set next_at = now() + $3 * interval '1 millisecond' where id = $1 and next_at = $2::timestamptz", [id, nextAt, inMs])

const legOf = ({ wallet }: Outflow): Leg => (wallet === null ? bankLeg : walletLeg)

async function step(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  if (outflow.byHand !== null) return followEnded(ctx, outflow)
  if (outflow.status === 'awaiting_claim') return endClaim(ctx, outflow)
  if (outflow.status === 'awaiting_approval') return followApproval(ctx, outflow)
  if (outflow.status !== 'pending') return legOf(outflow).follow(ctx, outflow)
  const stop = await whyWaits(ctx, outflow)
  if (stop === null) return legOf(outflow).send(ctx, outflow)
  await stopOutflow(ctx, outflow, stop)
}
