import { createHash } from 'node:crypto'
import { shownForm } from '../../chains/codecs.ts'
import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import { findDestination } from '../../destinations/getDestination.ts'
import { openAccount } from '../../destinations/sealedAccount.ts'
import { formatUnits } from '../../money/amount.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { Secret } from '../../platform/secrets.ts'
import type { Outflow } from '../outflow.ts'
import type { Stop } from '../stop.ts'
import { requestScreening, type Screening } from './requestScreening.ts'

/** The pauses between two questions about an outflow that is held. */
const firstPauseMs = 10_000
const longestPauseMs = 15 * 60_000
const denied: Stop = { reason: 'screening_denied', nextInMs: 0, ends: 'screening_denied' }
/** It waits for the operator's screening. */
export const screeningReason = 'screening'

export interface ScreeningContext {
  db: Queryable
  appKey: Secret
  /** Null: the operator screens nothing. */
  screening: Screening | null
}

/**
 * What is stored of the operator's screening: an outflow leaves with its answer about exactly this. What goes
 * to the partner's own account is not screened.
 */
export async function screenedStop(
  { screening }: { screening: object | null },
  db: Queryable,
  outflow: Outflow,
): Promise<Stop | null> {
  if (screening === null || outflow.kind === 'top_up') return null
  const [known] = await db.query<{ decision: 'allow' | 'deny' | null }>(
    'select decision from outflow_screenings where outflow_id = $1 and target = $2',
    [outflow.id, targetOf(outflow)],
  )
  if (known?.decision === 'allow') return null
  return known?.decision === 'deny' ? denied : { reason: screeningReason, nextInMs: 0, ends: false }
}

/** Queries the operator's screening, and stores its answer. */
export async function screenOutflow(ctx: ScreeningContext, outflow: Outflow): Promise<Stop | null> {
  if (ctx.screening === null) return null
  const { decision, reason } = await requestScreening(
    ctx.screening,
    outflow.id,
    await questionOf(ctx, outflow),
  )
  const [stored] = await ctx.db.query<{ tries: number }>(
    `insert into outflow_screenings as s (outflow_id, target, decision, reason, tries) values ($1, $2, $3, $4, 1)
     on conflict (outflow_id) do update set target = excluded.target, decision = excluded.decision, reason = excluded.reason, asked_at = now(),
       tries = case when s.target = excluded.target then s.tries + 1 else 1 end
     returning tries`,
    [outflow.id, targetOf(outflow), decision === 'hold' ? null : decision, reason],
  )
  if (decision === 'allow') return null
  if (decision === 'deny') return denied
  return { reason: screeningReason, nextInMs: pauseAfter(stored?.tries ?? 1), ends: false }
}

/** Twice as long after each question. */
const pauseAfter = (tries: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 10))

/** Checks if the pause after the last question about exactly this is over. */
export async function isQuestionDue(db: Queryable, outflow: Outflow): Promise<boolean> {
  const [asked] = await db.query<{ tries: number; agoMs: number }>(
    `select tries, (extract(epoch from now() - asked_at) * 1000)::float8 as "agoMs" from outflow_screenings where outflow_id = $1 and target = $2`,
    [outflow.id, targetOf(outflow)],
  )
  return asked === undefined || asked.agoMs >= pauseAfter(asked.tries)
}

/** A hash of what is screened. A bank account is named by its destination, whose account never changes. */
function targetOf({ kind, businessId, chain, token, amount, destinationId, wallet, bank }: Outflow): Buffer {
  const to = wallet
    ? [wallet.chain, wallet.token, wallet.address, wallet.memo?.type, wallet.memo?.value]
    : [bank?.networkId, bank?.currency]
  return createHash('sha256')
    .update(JSON.stringify([kind, businessId, chain, token, String(amount), destinationId, ...to]))
    .digest()
}

async function questionOf(ctx: ScreeningContext, outflow: Outflow): Promise<object> {
  const { id, kind, businessId, sessionId, chain, token, amount, createdAt } = outflow
  return {
    type: 'outflow.screening',
    data: {
      id,
      kind,
      businessId,
      sessionId,
      amount: formatUnits(amount, tokenDecimals(chain, token)),
      source: { chain, token },
      destination: await destinationOf(ctx, outflow),
      createdAt: createdAt.toISOString(),
    },
  }
}

async function destinationOf(
  ctx: ScreeningContext,
  { id, businessId, destinationId, wallet }: Outflow,
): Promise<object> {
  if (wallet) {
    const { chain, token, address, memo } = wallet
    return {
      kind: 'wallet',
      chain,
      token,
      address: shownForm(address),
      memo: memo?.value ?? null,
      memoType: memo?.type ?? null,
    }
  }
  if (businessId === null || destinationId === null) throw new Error(`outflow ${id} goes nowhere`)
  const { networkId, bankName, country, currency, sealedAccount } = await findDestination(
    ctx.db,
    businessId,
    destinationId,
  )
  if (networkId === null || sealedAccount === null)
    throw new Error(`destination ${destinationId} has no account`)
  const { number, holder } = openAccount(
    ctx.appKey,
    { id: destinationId, businessId, networkId },
    sealedAccount,
  )
  return {
    kind: 'bank',
    networkId,
    bankName,
    country,
    currency,
    accountNumber: number.reveal(),
    accountName: holder,
  }
}
