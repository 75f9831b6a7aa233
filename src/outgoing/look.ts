import { ProviderError } from '../chains/chain.ts'
import type { Outcome } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { lookEvery, type OutgoingContext, type SendingChain } from './context.ts'
import { deliver } from './deliver.ts'
import { isHeld } from './hold.ts'
import { judge, type Verdict } from './judge.ts'
import {
  liveOf,
  lockOutgoing,
  type Outgoing,
  type OutgoingTransaction,
  readOutgoing,
  readTransactions,
  tellChange,
  voidTransactions,
} from './outgoing.ts'
import { isPaused } from './pause.ts'
import { raise } from './raise.ts'
import { releaseSequences } from './releaseSequences.ts'
import { sequenceUser } from './sequenceUser.ts'
import { wantTransaction } from './wantTransaction.ts'

/** Longer than a look takes; a worker that dies in one is followed by another after it. */
const leaseMs = 30_000
/** A transaction that the network took is told to it again every so many looks: nodes forget. */
const resendEvery = 8
/** Terms for which nobody has signed are asked for anew: a block that they name may be too old. */
const termsForMs = 45_000

/** Looks at an intent that is due: plans it, sends it, or asks what became of it. Harmless to repeat, and safe with two of itself. */
export async function lookAtOutgoing(ctx: OutgoingContext, id: string): Promise<void> {
  const claimed = await ctx.db.query(
    `update outgoing set next_look_at = now() + $2 * interval '1 millisecond', looks = looks + 1
     where id = $1 and next_look_at <= now() returning id`,
    [id, leaseMs],
  )
  const [row] = claimed.length > 0 ? await readOutgoing(ctx.db, 'id = $1', [id]) : []
  if (!row) return
  const sending = await ctx.sendingChain(row.chain)
  try {
    await look(ctx, sending, row)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ outgoing: row.id, chain: row.chain, err: messageOf(error) }, 'the chain cannot be asked about a transfer')
    await nextLook(ctx, sending, row, 2)
  }
}

async function look(ctx: OutgoingContext, sending: SendingChain, row: Outgoing): Promise<void> {
  const transactions = await readTransactions(ctx.db, row.id)
  const live = liveOf(transactions)
  // Whatever was given up and had been sent is asked about for ever: nobody can take it back.
  const sent = transactions.flatMap((each) => (each.sent !== null && (each.sends > 0 || !each.isVoid) ? [each.sent] : []))
  const wanted = live.find((each) => each.sent === null)
  if (wanted) await waitForTreasury(ctx, row, wanted)
  if (sent.length > 0) {
    const isNew = transactions.every((each) => each.sends === 0)
    const outcome: Outcome = isNew ? { status: 'absent' } : await sending.sender.outcome(row.intent.from, sent)
    // What is signed anew has only its predecessors to be asked about, all of which can never come.
    if (row.status !== 'created' || outcome.status === 'included') return act(ctx, sending, row, live, transactions, outcome)
  }
  if (!wanted) await wantTransaction(ctx, sending, row)
  return nextLook(ctx, sending, row)
}

async function act(
  ctx: OutgoingContext,
  sending: SendingChain,
  row: Outgoing,
  live: readonly OutgoingTransaction[],
  transactions: readonly OutgoingTransaction[],
  outcome: Outcome,
): Promise<void> {
  const verdict = await settle(ctx, row, transactions, outcome)
  if (verdict === null || verdict.settled) return
  if (verdict.act === 'send' && !(await isPaused(ctx.db, row.chain)) && !(await isHeld(ctx, ctx.db, row.businessId)))
    await send(ctx, sending, row, live)
  // What is confirmed is looked at until it is final, which on most chains takes long.
  return nextLook(ctx, sending, row, verdict.status === 'confirmed' || verdict.status === 'failed' || verdict.status === 'expired' ? 4 : 1)
}

async function nextLook(ctx: OutgoingContext, { chain }: SendingChain, row: Outgoing, times = 1): Promise<void> {
  // What waits for hours is asked about less often.
  const patience = Math.min(1 + Math.floor(row.looks / 50), 10)
  await ctx.db.query("update outgoing set next_look_at = now() + $2 * interval '1 millisecond' where id = $1 and next_look_at is not null", [
    row.id,
    lookEvery(ctx, chain) * times * patience,
  ])
}

/** The treasury signs by itself. Terms that have waited too long for it are given up: nobody has signed them, so nobody can have sent them. */
async function waitForTreasury(ctx: OutgoingContext, row: Outgoing, wanted: OutgoingTransaction): Promise<void> {
  if (Date.now() - wanted.createdAt.getTime() < termsForMs) return
  await ctx.db.tx(async (tx) => {
    // The treasury holds the row from when it reads what is wanted until it has stored the signature.
    await lockOutgoing(tx, row.id)
    const [unsigned] = await tx.query('select 1 from outgoing_transactions where outgoing_id = $1 and number = $2 and signed_at is null', [
      row.id,
      wanted.number,
    ])
    if (unsigned) await voidTransactions(tx, row.id, [wanted.number], 'nobody signed it in time')
  })
}

/**
 * Stores what an intent is now, and tells whoever wanted it where it changed to something that matters.
 * @returns null where another look has overtaken this one
 */
async function settle(ctx: OutgoingContext, row: Outgoing, transactions: readonly OutgoingTransaction[], outcome: Outcome): Promise<Verdict | null> {
  const verdict = await ctx.db.tx(async (tx) => {
    const now = await lockOutgoing(tx, row.id)
    if (!now || now.looks !== row.looks || now.settled) return null
    const verdict = judge(
      {
        status: now.status,
        signer: now.signer,
        failedBy: now.status === 'failed' && now.reason !== 'reverted' ? now.reason : null,
        renewals: now.renewals,
        hasTime: transactions.some(({ sent }) => sent?.expiry && 'time' in sent.expiry && sent.expiry.time.getTime() > Date.now()),
        usedBy: outcome.status === 'gone' && outcome.reason === 'sequence_used' ? await sequenceUser(tx, now) : null,
        ageMs: Date.now() - now.createdAt.getTime(),
        goneForMs: now.goneForMs,
        goneAfterMs: ctx.goneMs,
      },
      outcome,
    )
    if (verdict.act === 'renew') await renew(tx, ctx, now)
    const after = await store(tx, now, verdict, outcome)
    if (verdict.settled) await releaseSequences(tx, now, outcome.status === 'included')
    if (after.status !== now.status) await tell(ctx, tx, after, now)
    return verdict
  })
  if (verdict !== null) failpoint(verdict.act === 'renew' ? 'outgoing.renewed' : 'outgoing.judged')
  return verdict
}

async function renew(tx: Tx, ctx: OutgoingContext, row: Outgoing): Promise<void> {
  const numbers = liveOf(await readTransactions(tx, row.id)).map((each) => each.number)
  await voidTransactions(tx, row.id, numbers, 'it can never be in a block')
  await tx.query('update outgoing set renewals = renewals + 1 where id = $1', [row.id])
  ctx.log.warn({ outgoing: row.id, chain: row.chain, txId: row.txId }, 'a transaction can never be in a block: it is signed anew')
  ctx.observe('renewed', row.chain)
}

const usedElsewhere =
  'The sender used its nonce or sequence number for another transaction, which may be this payment at a higher fee: look at that one before sending again'

async function store(tx: Tx, now: Outgoing, verdict: Verdict, outcome: Outcome): Promise<Outgoing> {
  const block = outcome.status === 'included' ? outcome : null
  const message = block ? block.reason : verdict.status === 'failed' ? now.message : verdict.reason === 'sequence_used' ? usedElsewhere : null
  const after: Outgoing = {
    ...now,
    status: verdict.status,
    reason: verdict.reason,
    message,
    txId: block?.txId ?? now.txId,
    blockHeight: block?.blockHeight ?? null,
    fee: block?.fee ?? null,
    gasUsed: block?.gasUsed ?? null,
  }
  await tx.query(
    `update outgoing set status = $2, reason = $3, message = $4, tx_id = $5, block_height = $6, block_id = $7, fee = $8, gas_used = $9,
       updated_at = case when status = $2 and tx_id is not distinct from $5 then updated_at else now() end,
       next_look_at = case when $10 then null else next_look_at end,
       gone_since = case when $11 then coalesce(gone_since, now()) end
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
      verdict.settled,
      // What is signed anew begins afresh.
      outcome.status === 'gone' && outcome.standing !== 'seen' && verdict.act !== 'renew',
    ],
  )
  return after
}

async function tell(ctx: OutgoingContext, tx: Tx, after: Outgoing, before: Outgoing): Promise<void> {
  const { status } = after
  if (status === 'confirmed' || status === 'failed' || status === 'expired') ctx.observe(status, after.chain)
  else if (before.status === 'confirmed' || before.status === 'failed' || before.status === 'expired') {
    ctx.observe('reorganised', after.chain)
    ctx.log.warn({ outgoing: after.id, chain: after.chain, txId: after.txId, was: before.status }, 'a fork took back what became of a transfer')
  }
  await tellChange(ctx, tx, after.id, before.status)
}

/** Sends what is to be sent now: a new transaction, one that nobody is known to have, a dearer one, or at times the last one again. */
async function send(ctx: OutgoingContext, sending: SendingChain, row: Outgoing, transactions: readonly OutgoingTransaction[]): Promise<void> {
  const next = await raise(ctx, sending, row, transactions)
  const signed = transactions.filter((each) => each.signed !== null && each.sends > 0)
  const last = signed.at(-1)
  const again = last && (last.acceptedAt === null || row.looks % resendEvery === 0) ? last : null
  const chosen = next ?? again ?? (last ? null : transactions.find((each) => each.signed !== null))
  if (!chosen?.signed) return
  const counted = await countSend(ctx, row, chosen.number)
  if (!counted) return
  failpoint('outgoing.counted')
  await deliver(
    ctx,
    sending,
    row,
    {
      number: chosen.number,
      sequence: chosen.sequence,
      signed: chosen.signed,
      isFirst: counted.sends === 1,
    },
    ['outgoing.sent', 'outgoing.recorded'],
  )
}

/**
 * Counts a send before it is made. A suspension that comes before the count keeps the bytes here; after it they count as sent.
 * @returns null where another look has overtaken this one, the transaction was given up, or its business is held
 */
const countSend = (ctx: OutgoingContext, row: Outgoing, number: number): Promise<{ sends: number } | null> =>
  ctx.db.tx(async (tx) => {
    if (await isHeld(ctx, tx, row.businessId)) return null
    const [counted] = await tx.query<{ sends: number }>(
      `update outgoing_transactions set sends = sends + 1 where outgoing_id = $1 and number = $2 and void_at is null and bytes is not null
         and exists (select 1 from outgoing where id = $1 and looks = $3) returning sends`,
      [row.id, number, row.looks],
    )
    return counted ?? null
  })
