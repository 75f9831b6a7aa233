import { ProviderError } from '../chains/chain.ts'
import type { Outcome } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { broadcastAttempt } from './broadcastAttempt.ts'
import { bumpFee } from './bumpFee.ts'
import { reconcileEvery, type SendingChain, type TxManagerContext } from './context.ts'
import { isHeld } from './hold.ts'
import { type Attempt, type Intent, liveAttempts, lockIntent, notifyChange, readAttempts, readIntents, voidAttempts } from './intents.ts'
import { type NextState, nextState } from './nextState.ts'
import { nonceUser } from './nonceUser.ts'
import { isPaused } from './pause.ts'
import { releaseNonces } from './releaseNonces.ts'
import { requestSignature } from './requestSignature.ts'

/** Longer than a reconcile takes; then another worker takes over from one that died. */
const leaseMs = 30_000
/** Accepted bytes are sent again every so many reconciles: nodes forget. */
const resendEvery = 8
/** Unsigned terms are planned again after this time: a block that they name may be too old. */
const termsForMs = 45_000

/** Reconciles an intent that is due: plans it, sends it, or asks the chain for its outcome. Safe to repeat and to run concurrently. */
export async function reconcileIntent(ctx: TxManagerContext, id: string): Promise<void> {
  const claimed = await ctx.db.query(
    `update intents set next_reconcile_at = now() + $2 * interval '1 millisecond', reconciles = reconciles + 1
     where id = $1 and next_reconcile_at <= now() returning id`,
    [id, leaseMs],
  )
  const [row] = claimed.length > 0 ? await readIntents(ctx.db, 'id = $1', [id]) : []
  if (!row) return
  const sending = await ctx.sendingChain(row.chain)
  try {
    await reconcile(ctx, sending, row)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ intent: row.id, chain: row.chain, err: messageOf(error) }, 'the chain does not answer; the intent is reconciled later')
    await scheduleNext(ctx, sending, row, 2)
  }
}

async function reconcile(ctx: TxManagerContext, sending: SendingChain, row: Intent): Promise<void> {
  const transactions = await readAttempts(ctx.db, row.id)
  const live = liveAttempts(transactions)
  // Also ask about sent attempts that were given up: a broadcast cannot be undone.
  const sent = transactions.flatMap((each) => (each.sent !== null && (each.sends > 0 || !each.isVoid) ? [each.sent] : []))
  const wanted = live.find((each) => each.sent === null)
  if (wanted) await waitForTreasury(ctx, row, wanted)
  if (sent.length > 0) {
    const isNew = transactions.every((each) => each.sends === 0)
    const outcome: Outcome = isNew ? { status: 'absent' } : await sending.sender.outcome(row.transfer.from, sent)
    // An intent to sign again has only unminable attempts.
    if (row.status !== 'created' || outcome.status === 'included') return act(ctx, sending, row, live, transactions, outcome)
  }
  if (!wanted) await requestSignature(ctx, sending, row)
  return scheduleNext(ctx, sending, row)
}

async function act(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  live: readonly Attempt[],
  transactions: readonly Attempt[],
  outcome: Outcome,
): Promise<void> {
  const next = await settle(ctx, row, transactions, outcome)
  if (next === null || next.settled) return
  if (next.act === 'send' && !(await isPaused(ctx.db, row.chain)) && !(await isHeld(ctx, ctx.db, row.businessId))) await send(ctx, sending, row, live)
  // On most chains finality takes much longer than confirmation.
  return scheduleNext(ctx, sending, row, next.status === 'confirmed' || next.status === 'failed' || next.status === 'expired' ? 4 : 1)
}

async function scheduleNext(ctx: TxManagerContext, { chain }: SendingChain, row: Intent, times = 1): Promise<void> {
  // Back off for intents that wait for hours.
  const patience = Math.min(1 + Math.floor(row.reconciles / 50), 10)
  await ctx.db.query("update intents set next_reconcile_at = now() + $2 * interval '1 millisecond' where id = $1 and next_reconcile_at is not null", [
    row.id,
    reconcileEvery(ctx, chain) * times * patience,
  ])
}

/** Gives up terms that the treasury has not signed in time. Unsigned, they cannot have been sent. */
async function waitForTreasury(ctx: TxManagerContext, row: Intent, wanted: Attempt): Promise<void> {
  if (Date.now() - wanted.createdAt.getTime() < termsForMs) return
  await ctx.db.tx(async (tx) => {
    // The treasury locks the intent from reading the request until it has stored the signature.
    await lockIntent(tx, row.id)
    const [unsigned] = await tx.query('select 1 from intent_attempts where intent_id = $1 and number = $2 and signed_at is null', [
      row.id,
      wanted.number,
    ])
    if (unsigned) await voidAttempts(tx, row.id, [wanted.number], 'not signed in time')
  })
}

/**
 * Stores the next state of an intent, and publishes a change of its status.
 * @returns null if another process has overtaken this one
 */
async function settle(ctx: TxManagerContext, row: Intent, transactions: readonly Attempt[], outcome: Outcome): Promise<NextState | null> {
  const next = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (!now || now.reconciles !== row.reconciles || now.settled) return null
    const next = nextState(
      {
        status: now.status,
        signer: now.signer,
        failedBy: now.status === 'failed' && now.reason !== 'reverted' ? now.reason : null,
        resigns: now.resigns,
        hasTime: transactions.some(({ sent }) => sent?.expiry && 'time' in sent.expiry && sent.expiry.time.getTime() > Date.now()),
        usedBy: outcome.status === 'unminable' && outcome.reason === 'sequence_used' ? await nonceUser(tx, now) : null,
        ageMs: Date.now() - now.createdAt.getTime(),
        unminableForMs: now.unminableForMs,
        unminableAfterMs: ctx.unminableMs,
      },
      outcome,
    )
    if (next.act === 'resign') await voidUnminable(tx, ctx, now)
    const after = await store(tx, now, next, outcome)
    if (next.settled) await releaseNonces(tx, now, outcome.status === 'included')
    if (after.status !== now.status) await publishChange(ctx, tx, after, now)
    return next
  })
  if (next !== null) failpoint(next.act === 'resign' ? 'txmgr.resigned' : 'txmgr.reconciled')
  return next
}

async function voidUnminable(tx: Tx, ctx: TxManagerContext, row: Intent): Promise<void> {
  const numbers = liveAttempts(await readAttempts(tx, row.id)).map((each) => each.number)
  await voidAttempts(tx, row.id, numbers, 'unminable')
  await tx.query('update intents set resigns = resigns + 1 where id = $1', [row.id])
  ctx.log.warn({ intent: row.id, chain: row.chain, txId: row.txId }, 'a transaction is unminable: the intent is signed again')
  ctx.observe('resigned', row.chain)
}

const usedElsewhere =
  'The sender used its nonce or sequence number for another transaction, which may be this payment at a higher fee: look at that one before sending again'

async function store(tx: Tx, now: Intent, next: NextState, outcome: Outcome): Promise<Intent> {
  const block = outcome.status === 'included' ? outcome : null
  const message = block ? block.reason : next.status === 'failed' ? now.message : next.reason === 'sequence_used' ? usedElsewhere : null
  const after: Intent = {
    ...now,
    status: next.status,
    reason: next.reason,
    message,
    txId: block?.txId ?? now.txId,
    blockHeight: block?.blockHeight ?? null,
    fee: block?.fee ?? null,
    gasUsed: block?.gasUsed ?? null,
  }
  await tx.query(
    `update intents set status = $2, reason = $3, message = $4, tx_id = $5, block_height = $6, block_id = $7, fee = $8, gas_used = $9,
       updated_at = case when status = $2 and tx_id is not distinct from $5 then updated_at else now() end,
       next_reconcile_at = case when $10 then null else next_reconcile_at end,
       unminable_since = case when $11 then coalesce(unminable_since, now()) end
     where id = $1`,
    [
      now.id,
      after.status,
      after.reason,
      after.message,
      after.txId,
      after.blockHeight,
      block?.blockId ?? null,
      after.fee?.toString() ?? null,
      after.gasUsed?.toString() ?? null,
      next.settled,
      // Signing again starts over.
      outcome.status === 'unminable' && outcome.standing !== 'seen' && next.act !== 'resign',
    ],
  )
  return after
}

async function publishChange(ctx: TxManagerContext, tx: Tx, after: Intent, before: Intent): Promise<void> {
  const { status } = after
  if (status === 'confirmed' || status === 'failed' || status === 'expired') ctx.observe(status, after.chain)
  else if (before.status === 'confirmed' || before.status === 'failed' || before.status === 'expired') {
    ctx.observe('reorganised', after.chain)
    ctx.log.warn({ intent: after.id, chain: after.chain, txId: after.txId, was: before.status }, 'a reorg took back the outcome of a transfer')
  }
  await notifyChange(ctx, tx, after.id, before.status)
}

/** Sends a new attempt, one with a higher fee, one that no node is known to have, or at intervals the last one again. */
async function send(ctx: TxManagerContext, sending: SendingChain, row: Intent, transactions: readonly Attempt[]): Promise<void> {
  const next = await bumpFee(ctx, sending, row, transactions)
  const signed = transactions.filter((each) => each.signed !== null && each.sends > 0)
  const last = signed.at(-1)
  const again = last && (last.acceptedAt === null || row.reconciles % resendEvery === 0) ? last : null
  const chosen = next ?? again ?? (last ? null : transactions.find((each) => each.signed !== null))
  if (!chosen?.signed) return
  const counted = await countSend(ctx, row, chosen.number)
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

/**
 * Counts a send before it is made. After a suspension nothing is counted; what was counted before it counts as sent.
 * @returns null if another process has overtaken this one, the attempt was given up, or the business is held
 */
const countSend = (ctx: TxManagerContext, row: Intent, number: number): Promise<{ sends: number } | null> =>
  ctx.db.tx(async (tx) => {
    if (await isHeld(ctx, tx, row.businessId)) return null
    const [counted] = await tx.query<{ sends: number }>(
      `update intent_attempts set sends = sends + 1 where intent_id = $1 and number = $2 and void_at is null and bytes is not null
         and exists (select 1 from intents where id = $1 and reconciles = $3) returning sends`,
      [row.id, number, row.reconciles],
    )
    return counted ?? null
  })
