import type { SignedTransaction } from '../chains/sending.ts'
import { isDatabaseAway } from '../platform/database/databaseAway.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { Cause } from '../platform/telemetry/scope.ts'
import { onBehalf } from '../platform/telemetry/tracing.ts'
import { approvalHold } from './approvalHold.ts'
import { voidAttempts } from './attempts.ts'
import { failIntent } from './failIntent.ts'
import type { FeeStop } from './fees/feeLimits.ts'
import { type HoldContext, isHeld, sendingApprovals } from './hold.ts'
import { type Intent, lockIntent, type PurposesContext } from './intents.ts'
import { cancelledReason } from './nextState.ts'
import { noopOf } from './noop.ts'
import { isPaused } from './pause.ts'
import {
  feeStopOfSignature,
  type PolicyContext,
  refusalByPolicy,
  type Signing,
  UnprovenError,
  type Wanted,
} from './signingPolicy.ts'
import { storeSigned } from './storeSigned.ts'
import { transition } from './transition.ts'

export interface SigningContext extends HoldContext, PurposesContext, PolicyContext {
  db: Db
  log: Log
  /** Builds and signs for a chain; reads no node. Null if the chain is not configured. */
  signing(chain: string): Promise<Signing | null>
  signed(chain: string, outcome: 'signed' | 'refused' | 'failed'): void
}

const batchSize = 20
/** Retries a request that cannot be signed for some minutes. */
const [maxFailures, secondsBetween] = [10, 30]
/** Longer without a proof: gives the operator time to prove it. */
const unprovenMinutes = 30

/**
 * Signs transactions with the private keys of the treasury. Takes turns between businesses and the platform,
 * oldest request first. The action follows from the intent; the worker's terms can only raise the fee, up to
 * the chain's limit (builders refuse terms that would make another transaction). Each request is checked
 * against policy again; those of suspended businesses stay as they are. The worker's report that an attempt
 * is unminable is accepted once for each intent.
 * @returns how many requests were handled
 * @throws errors of a database that is away
 */
export async function signPending(ctx: SigningContext): Promise<number> {
  const wanted = await ctx.db.query<Wanted & Cause>(
    `select "intentId", number, chain, nonce, terms, "givenUp", cancels, proof, traceparent, "requestId" from (
       select t.intent_id as "intentId", t.number, t.chain, t.nonce, t.terms, t.given_up as "givenUp", t.cancels, t.proof, t.failures, t.created_at,
         o.traceparent, o.request_id as "requestId",
         row_number() over (partition by b.id order by t.failures, t.created_at) as turn
       from intent_attempts t
       join intents o on o.id = t.intent_id left join outflows f on f.intent_id = o.id left join businesses b on b.id = coalesce(o.business_id, f.business_id)
       where (b.id is null or b.approval = any($3)) and t.signed_at is null and t.void_at is null and t.chain not in (select chain from sending_pauses)
         and t.created_at + t.failures * $2 * interval '1 second' <= now()) wanted
     order by turn, failures, created_at limit $1`,
    [batchSize, secondsBetween, sendingApprovals(ctx)],
  )
  for (const each of wanted)
    await onBehalf(
      each,
      'sign transaction',
      { attributes: { 'cowry.intent.id': each.intentId, 'cowry.chain': each.chain } },
      (span) =>
        signOne(ctx, each).catch((error) => {
          // The request is not at fault: it is signed as soon as the database is back.
          if (isDatabaseAway(error)) throw error
          span.fail(error)
          return fail(ctx, each, error)
        }),
    )
  return wanted.length
}

/**
 * Puts a request that cannot be signed behind the others, and refuses it in the end, so that it does not
 * block them.
 */
async function fail(ctx: SigningContext, { intentId, number }: Wanted, error: unknown): Promise<void> {
  ctx.log.error({ intent: intentId, err: messageOf(error) }, 'a request could not be signed')
  await ctx.db.tx(async (tx) => {
    const row = await lockIntent(tx, intentId)
    const unproven = error instanceof UnprovenError ? error : null
    const counted = await tx.query(
      `update intent_attempts set failures = failures + 1, unproven_since = case when $3 then coalesce(unproven_since, now()) else unproven_since end
       where intent_id = $1 and number = $2 and signed_at is null and void_at is null returning number`,
      [intentId, number, unproven !== null],
    )
    if (!row || counted.length === 0) return
    ctx.signed(row.chain, 'failed')
    // Failures of earlier requests of the intent count as well.
    const [all] = await tx.query<{ isOver: boolean }>(
      `select coalesce(sum(failures) filter (where unproven_since is null) >= $2, false)
         or coalesce(min(unproven_since) <= now() - $3 * interval '1 minute', false) as "isOver"
       from intent_attempts where intent_id = $1`,
      [intentId, maxFailures, unprovenMinutes],
    )
    if (all?.isOver) await refuseRow(ctx, tx, row, number, unproven?.publicText ?? 'it could not be signed')
  })
}

const overLimit: Record<FeeStop, string> = {
  ceiling: "its fee may be more than the operator's ceiling",
  budget: "the chain's fees of 24 hours may be more than the operator's budget",
}
const unapproved = 'it needs an approval that it does not have'

async function signOne(ctx: SigningContext, wanted: Wanted): Promise<void> {
  const outcome = await ctx.db.tx(async (tx) => {
    const row = await lockIntent(tx, wanted.intentId)
    const [still] = await tx.query(
      'select 1 from intent_attempts where intent_id = $1 and number = $2 and signed_at is null and void_at is null',
      [wanted.intentId, wanted.number],
    )
    if (
      !row ||
      !still ||
      (await isPaused(tx, row.chain)) ||
      (await isHeld(ctx, tx, row)) ||
      (await earlierAttemptMayBeMined(tx, wanted))
    )
      return null
    if (await approvalHold(tx, row)) {
      // The worker waits for the approval or fails the intent.
      await voidAttempts(tx, row.id, [wanted.number], unapproved)
      return { row, outcome: 'refused' as const, refusal: unapproved }
    }
    const signing = await ctx.signing(row.chain)
    const refusal = signing
      ? await refusalByPolicy(ctx, tx, row, wanted, signing)
      : `the treasury does not have ${row.chain}`
    if (refusal !== null || !signing) {
      await refuseRow(ctx, tx, row, wanted.number, refusal ?? '')
      return { row, outcome: 'refused' as const, refusal }
    }
    const maxFee = signing.builder.maxFee(wanted.terms)
    const stop = await feeStopOfSignature(ctx, tx, row, maxFee, signing)
    if (stop !== null) {
      // The worker waits, or plans it again.
      await voidAttempts(tx, row.id, [wanted.number], overLimit[stop])
      ctx.log.warn(
        { intent: row.id, chain: row.chain, why: overLimit[stop] },
        'a limit of fees keeps a request from being signed',
      )
      return null
    }
    const signer = ctx.signers.find(({ name }) => name === row.signer)
    if (!signer) throw new Error(`no signer ${row.signer} is registered`)
    const keys = await signer.open(tx, row)
    failpoint('treasury.transfer-opened')
    const nonce = wanted.nonce === null ? null : BigInt(wanted.nonce)
    const signed = signing.builder.sign(
      wanted.cancels ? noopOf(row.action.from) : row.action,
      wanted.terms,
      nonce,
      keys,
    )
    await keepSignature(tx, row, nonce, signed, maxFee)
    await storeSigned(ctx, tx, row.id, wanted.number, signed)
    await transition(ctx, tx, row, { kind: 'signed', txId: signed.txId }, 0)
    return { row, outcome: 'signed' as const, refusal: null }
  })
  if (!outcome) return
  failpoint('treasury.transfer-signed')
  ctx.signed(outcome.row.chain, outcome.outcome)
  const about = { intent: outcome.row.id, chain: outcome.row.chain }
  if (outcome.outcome === 'signed') ctx.log.info(about, 'signed')
  else ctx.log.error({ ...about, refusal: outcome.refusal }, 'the treasury refused to sign')
}

/** The treasury's own record of what it has signed, which no other process can write. */
async function keepSignature(
  tx: Tx,
  row: Intent,
  nonce: bigint | null,
  { txId, expiry }: SignedTransaction,
  maxFee: bigint,
): Promise<void> {
  await tx.query(
    'insert into treasury_signatures (intent_id, chain, tx_id, nonce, expires_at, max_fee) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
    [
      row.id,
      row.chain,
      txId,
      nonce?.toString() ?? null,
      expiry !== null && 'time' in expiry ? expiry.time : null,
      maxFee.toString(),
    ],
  )
}

/** Checks if an attempt that was given up has not expired: it must not be replaced yet. */
async function earlierAttemptMayBeMined(tx: Tx, { intentId, nonce }: Wanted): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from intent_attempts where intent_id = $1 and sends > 0 and void_at is not null and expires_at > now()
     union all select 1 from treasury_signatures where intent_id = $1 and expires_at > now() and (nonce is null or nonce is distinct from $2)`,
    [intentId, nonce],
  )
  return rows.length > 0
}

/**
 * Refuses a request. The intent fails if nothing of it is signed; a refused bump of the fee leaves earlier
 * attempts as they are.
 */
async function refuseRow(
  ctx: SigningContext,
  tx: Tx,
  row: Intent,
  number: number,
  refusal: string,
): Promise<void> {
  await voidAttempts(tx, row.id, [number], refusal)
  if (row.status === 'created')
    await failIntent(ctx, tx, row, row.isCancelled ? cancelledReason : 'policy', refusal)
}
