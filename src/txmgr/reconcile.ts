import { ProviderError } from '../chains/chain.ts'
import type { Outcome } from '../chains/sending.ts'
import { type DueRow, withClaim } from '../platform/database/withClaim.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { currentScope } from '../platform/telemetry/scope.ts'
import { recordSpan } from '../platform/telemetry/tracing.ts'
import { type Attempt, liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import { outcomeAfter } from './before.ts'
import { broadcastAttempt } from './broadcastAttempt.ts'
import { cancelSent } from './cancelSent.ts'
import { cancelUnsent } from './cancelUnsent.ts'
import { reconcileEvery, type SendingChain, type TxManagerContext } from './context.ts'
import { countSend } from './countSend.ts'
import { bumpFee } from './fees/bumpFee.ts'
import { repricedAttempt } from './fees/repriceIntent.ts'
import { tokenKept } from './fees/tokenKept.ts'
import { isHeld } from './hold.ts'
import { type Intent, lockIntent, readIntents } from './intents.ts'
import { isOutcome, type NextState } from './nextState.ts'
import { nonceUser } from './nonceUser.ts'
import { isPaused } from './pause.ts'
import { requestSignature } from './requestSignature.ts'
import { transition } from './transition.ts'

/** Longer than a reconcile takes; then another worker takes over from one that died. */
const leaseMs = 30_000
/** Accepted bytes are sent again every so many reconciles: nodes forget. */
const resendEvery = 8
/** Unsigned terms are planned again after this time: a block that they name may be too old. */
const termsForMs = 45_000

/**
 * Reconciles an intent that is due: plans it, sends it, or reads its outcome from the chain. Safe to repeat
 * and to run concurrently.
 */
export async function reconcileIntent(ctx: TxManagerContext, id: string): Promise<void> {
  const due: DueRow = {
    table: 'intents',
    at: 'next_reconcile_at',
    key: { id },
    also: 'reconciles = reconciles + 1',
    leaseMs,
  }
  await withClaim(ctx.db, due, async () => {
    const [row] = await readIntents(ctx.db, 'id = $1', [id])
    if (!row) return
    const sending = await ctx.sendingChain(row.chain)
    try {
      await reconcile(ctx, sending, row)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn(
        { intent: row.id, chain: row.chain, err: messageOf(error) },
        'the chain does not answer; the intent is reconciled later',
      )
      await scheduleNext(ctx, sending, row, 2)
    }
  })
}

async function reconcile(ctx: TxManagerContext, sending: SendingChain, row: Intent): Promise<void> {
  const attempts = await readAttempts(ctx.db, row.id)
  const live = liveAttempts(attempts)
  // Also query sent attempts that were given up: a broadcast cannot be undone.
  const sent = attempts.flatMap((each) =>
    each.sent !== null && (each.sends > 0 || !each.isVoid) ? [each.sent] : [],
  )
  const wanted = live.find((each) => each.sent === null)
  if (row.isCancelled && live.every((each) => each.sends === 0) && (await endCancelled(ctx, row))) return
  if (wanted) await waitForTreasury(ctx, row, wanted)
  if (sent.length > 0) {
    const isNew = attempts.every((each) => each.sends === 0)
    const outcome: Outcome = isNew
      ? { status: 'absent' }
      : await sending.sender.outcome(row.action.from, sent)
    // An intent to sign again has only unminable attempts.
    if (row.status !== 'created' || outcome.status === 'included')
      return act(ctx, sending, row, live, attempts, outcome)
  }
  const waits = !wanted && (await requestSignature(ctx, sending, row)) === 'waits'
  return scheduleNext(ctx, sending, row, waits ? 4 : 1)
}

async function act(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  live: readonly Attempt[],
  attempts: readonly Attempt[],
  outcome: Outcome,
): Promise<void> {
  const next = await settle(ctx, row, attempts, outcome)
  if (next === null || next.settled) return
  if (next.act === 'send' && !(await isPaused(ctx.db, row.chain)) && !(await isHeld(ctx, ctx.db, row)))
    await send(ctx, sending, row, live)
  // On most chains finality takes much longer than confirmation.
  return scheduleNext(ctx, sending, row, isOutcome(next.status) ? 4 : 1)
}

async function scheduleNext(
  ctx: TxManagerContext,
  { chain }: SendingChain,
  row: Intent,
  times = 1,
): Promise<void> {
  // Back off for intents that wait for hours.
  const patience = Math.min(1 + Math.floor(row.reconciles / 50), 10)
  // Planning takes many calls.
  const feeWaitMs = row.status === 'created' ? Math.min((row.feeWaitForMs ?? 0) / 10, 60_000) : 0
  // At its deadline at the latest.
  await ctx.db.query(
    `update intents set next_reconcile_at = least(now() + $2 * interval '1 millisecond', case when valid_until > now() then valid_until end)
     where id = $1 and next_reconcile_at is not null`,
    [row.id, Math.max(reconcileEvery(ctx, chain) * times * patience, feeWaitMs)],
  )
}

/**
 * @returns true if nothing of the cancelled intent was sent, and it has failed; or another process has
 * overtaken this one
 */
const endCancelled = (ctx: TxManagerContext, row: Intent): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    return now?.reconciles !== row.reconciles || cancelUnsent(ctx, tx, now)
  })

/** Gives up terms that the treasury has not signed in time. Unsigned, they cannot have been sent. */
async function waitForTreasury(ctx: TxManagerContext, row: Intent, wanted: Attempt): Promise<void> {
  if (Date.now() - wanted.createdAt.getTime() < termsForMs) return
  await ctx.db.tx(async (tx) => {
    // The treasury locks the intent from reading the request until it has stored the signature.
    await lockIntent(tx, row.id)
    const [unsigned] = await tx.query(
      'select 1 from intent_attempts where intent_id = $1 and number = $2 and signed_at is null',
      [row.id, wanted.number],
    )
    if (unsigned) await voidAttempts(tx, row.id, [wanted.number], 'not signed in time')
  })
}

/** @returns the next state, stored; null if another process has overtaken this one */
async function settle(
  ctx: TxManagerContext,
  row: Intent,
  attempts: readonly Attempt[],
  reported: Outcome,
): Promise<NextState | null> {
  const changed = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (!now || now.reconciles !== row.reconciles || now.settled) return null
    const outcome = await outcomeAfter(tx, now, reported)
    const next = await transition(ctx, tx, now, {
      kind: 'reported',
      outcome,
      isNoop:
        outcome.status === 'included' &&
        attempts.some(({ cancels, sent }) => cancels && sent?.txId === outcome.txId),
      hasTime: attempts.some(
        ({ sent }) => sent?.expiry && 'time' in sent.expiry && sent.expiry.time.getTime() > Date.now(),
      ),
      usedBy:
        outcome.status === 'unminable' && outcome.reason === 'sequence_used'
          ? await nonceUser(tx, now)
          : null,
      ageMs: Date.now() - (now.status === 'failed' ? now.updatedAt : now.createdAt).getTime(),
      unminableAfterMs: ctx.unminableMs,
    })
    observe(ctx, now, next)
    if (next.status === 'confirmed' && outcome.status === 'included') warnOfTokenFee(ctx, now, outcome)
    return next
  })
  if (changed !== null) failpoint(changed.act === 'resign' ? 'txmgr.resigned' : 'txmgr.reconciled')
  return changed
}

function observe(ctx: TxManagerContext, before: Intent, { status, act, txId }: NextState): void {
  const { id, chain } = before
  if (act === 'resign') {
    ctx.observe('resigned', chain)
    ctx.log.warn({ intent: id, chain, txId }, 'a transaction is unminable: the intent is signed again')
  }
  if (status === before.status) return
  const attributes = { 'cowry.intent.id': id, 'cowry.chain': chain, 'cowry.transaction.id': txId }
  recordSpan(`intent ${status}`, currentScope()?.trace ?? null, { attributes })
  if (status === 'confirmed' || status === 'failed' || status === 'expired') ctx.observe(status, chain)
  else if (isOutcome(before.status)) {
    ctx.observe('reorganised', chain)
    ctx.log.warn(
      { intent: id, chain, txId, was: before.status },
      'a reorg took back the outcome of a transfer',
    )
  }
}

/** Names a token that let less arrive than was sent. */
function warnOfTokenFee(
  ctx: TxManagerContext,
  { id, chain, status, action, tokenKept: known }: Intent,
  outcome: Extract<Outcome, { status: 'included' }>,
): void {
  const isLogged = status === 'confirmed' && known !== null && known.length > 0
  if (isLogged) return
  for (const { address, token, amount } of tokenKept(action, outcome) ?? [])
    ctx.log.error(
      { intent: id, chain, token: token?.symbol, kept: String(amount), address },
      'a token kept a part of a transfer: less has arrived',
    )
}

/**
 * Sends a new attempt, one with a higher fee, one that no node is known to have, or at intervals the last one
 * again.
 */
async function send(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  attempts: readonly Attempt[],
): Promise<void> {
  const next = row.isCancelled
    ? await cancelSent(ctx, sending, row, attempts)
    : ((await repricedAttempt(ctx, sending, row, attempts)) ?? (await bumpFee(ctx, sending, row, attempts)))
  const usable = attempts.filter((each) => each.signed !== null && (each.cancels || !row.isCancelled))
  const signed = usable.filter((each) => each.sends > 0)
  const last = signed.at(-1)
  const again = last && (last.acceptedAt === null || row.reconciles % resendEvery === 0) ? last : null
  const chosen = next ?? again ?? (last ? null : usable[0])
  if (!chosen?.signed) return
  const counted = await countSend(ctx, row, chosen)
  if (!counted) return
  failpoint('txmgr.counted')
  await broadcastAttempt(
    ctx,
    sending,
    row,
    {
      number: chosen.number,
      nonce: chosen.nonce,
      signed: chosen.signed,
      isFirst: counted.sends === 1,
    },
    ['txmgr.sent', 'txmgr.recorded'],
  )
}
