import type { Flow } from '../chains/action.ts'
import type { Tx } from '../platform/database/db.ts'
import { writeFlows } from './actionJson.ts'
import { liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import { receivedBy, tokenKept } from './fees/tokenKept.ts'
import { type Intent, isOwnSigner, type PurposesContext, purposeOf, readIntents } from './intents.ts'
import { type IntentEvent, isOutcome, type NextState, nextState } from './nextState.ts'
import { releaseNonces } from './releaseNonces.ts'

/**
 * Moves an intent to its next state, with its attempts and nonces, and publishes its outcome. No other module
 * writes the status of an intent (`test/run/intentStatus.test.ts`).
 * @param now locked by the caller, and unchanged since: its columns are written back
 * @param reconcileInMs when a worker reconciles it next; null: as scheduled
 */
export async function transition(
  ctx: PurposesContext,
  tx: Tx,
  now: Intent,
  event: IntentEvent,
  reconcileInMs: number | null = null,
): Promise<NextState> {
  const next = nextState(now, event)
  if (next.act === 'resign') await voidUnminable(tx, now.id)
  if (event.kind === 'answered' && (next.act === 'drop' || next.act === 'drop all'))
    await dropRefused(tx, now.id, event.number, next.act === 'drop all', event.answer?.message ?? 'refused')
  const kept = keptBy(now, event)
  await store(tx, now, event, next, reconcileInMs, { kept, received: receivedIn(now, event) })
  if (next.settled && event.kind === 'reported')
    await releaseNonces(tx, now, event.outcome.status === 'included')
  const isOther = next.status !== now.status && (isOutcome(next.status) || isOutcome(now.status))
  if (isOther || isLateFee(now, event, next) || isOtherKept(now, event, next, kept)) {
    const [row] = await readIntents(tx, 'id = $1', [now.id])
    if (row) await purposeOf(ctx, row.purpose)?.onChange(tx, row, now.status)
  }
  return next
}

async function store(
  tx: Tx,
  now: Intent,
  event: IntentEvent,
  next: NextState,
  reconcileInMs: number | null,
  { kept, received }: Record<'kept' | 'received', readonly Flow[] | null>,
): Promise<void> {
  const report = event.kind === 'reported' ? event.outcome : null
  const block = report?.status === 'included' ? report : null
  await tx.query(
    `update intents set status = $2, reason = $3, message = $4, tx_id = $5,
       block_height = case when $6 then $7::bigint else block_height end, block_id = case when $6 then $8 else block_id end,
       fee = case when $6 then $9::numeric else fee end, gas_used = case when $6 then $10::numeric else gas_used end, native_change = case when $6 then $18::numeric else native_change end,
       token_kept = case when $6 then $19::jsonb else token_kept end, received = case when $6 then $20::jsonb else received end,
       unminable_since = case when not $6 then unminable_since when $11 then coalesce(unminable_since, now()) end,
       fee_waits_since = case $17 when 'begins' then coalesce(fee_waits_since, now()) when 'goes on' then fee_waits_since end,
       reconciles = reconciles + $12, resigns = resigns + $13, updated_at = case when $14 then now() else updated_at end,
       next_reconcile_at = case when $15 then null when $16::float8 is null then next_reconcile_at else now() + $16 * interval '1 millisecond' end
     where id = $1`,
    [
      now.id,
      next.status,
      next.reason,
      next.message,
      next.txId,
      report !== null,
      block?.blockHeight ?? null,
      block?.blockId ?? null,
      block?.fee?.toString() ?? null,
      block?.gasUsed?.toString() ?? null,
      // Signing again starts over.
      report?.status === 'unminable' && report.standing !== 'seen' && next.act !== 'resign',
      // Fences off a process that still works on the intent.
      event.kind === 'failed' ? 1 : 0,
      next.act === 'resign' ? 1 : 0,
      isUpdate(now, event, next),
      next.settled,
      reconcileInMs,
      feeWaitAfter(now, event),
      block?.nativeChange?.toString() ?? null,
      textOf(kept),
      textOf(received),
    ],
  )
}

/**
 * The block in which an intent has succeeded, as reported; null: it failed, only took the nonce, or is in no
 * block.
 */
function successOf(event: IntentEvent) {
  if (
    event.kind !== 'reported' ||
    event.isNoop ||
    event.outcome.status !== 'included' ||
    !event.outcome.succeeded
  )
    return null
  return event.outcome
}

const isSameBlock = (
  { txId, blockHeight }: Intent,
  outcome: Pick<NonNullable<ReturnType<typeof successOf>>, 'txId' | 'blockHeight'>,
): boolean => txId === outcome.txId && blockHeight === outcome.blockHeight

/**
 * Null as well for what failed, or only took the nonce. What is known of a block stays known where a later
 * report lacks it.
 */
function keptBy(now: Intent, event: IntentEvent): readonly Flow[] | null {
  const outcome = successOf(event)
  return outcome && (tokenKept(now.action, outcome) ?? (isSameBlock(now, outcome) ? now.tokenKept : null))
}

/** The same for what reached the recipients of a caller's calls. */
function receivedIn(now: Intent, event: IntentEvent): readonly Flow[] | null {
  const outcome = successOf(event)
  if (!outcome || now.signer !== 'caller') return null
  return receivedBy(now.action, outcome) ?? (isSameBlock(now, outcome) ? now.received : null)
}

const textOf = (kept: readonly Flow[] | null): string | null => kept && JSON.stringify(writeFlows(kept))

/** An answer for its price alone starts the wait for a lower fee; an accepted send and an outcome end it. */
function feeWaitAfter({ signer }: Intent, event: IntentEvent): 'begins' | 'goes on' | 'ends' {
  if (event.kind === 'failed') return 'ends'
  if (event.kind === 'reported') return event.outcome.status === 'absent' ? 'goes on' : 'ends'
  if (event.kind !== 'answered') return 'goes on'
  if (event.answer?.status === 'underpriced' && isOwnSigner(signer)) return 'begins'
  return event.answer?.status === 'accepted' ? 'ends' : 'goes on'
}

/** A node may report the fee after the outcome. What the platform paid is booked then. */
function isLateFee({ businessId, fee }: Intent, event: IntentEvent, { status }: NextState): boolean {
  const reported = event.kind === 'reported' && event.outcome.status === 'included' ? event.outcome.fee : null
  return businessId === null && isOutcome(status) && fee === null && reported !== null
}

/** Nodes may report later, or otherwise, what a token kept. The difference is booked then. */
const isOtherKept = (
  { status: was, tokenKept: before }: Intent,
  { kind }: IntentEvent,
  { status }: NextState,
  kept: readonly Flow[] | null,
): boolean =>
  kind === 'reported' &&
  was === 'confirmed' &&
  status === 'confirmed' &&
  textOf(kept ?? []) !== textOf(before ?? [])

function isUpdate(now: Intent, event: IntentEvent, next: NextState): boolean {
  if (event.kind === 'signed' || event.kind === 'failed') return true
  if (event.kind === 'answered' && event.answer?.status === 'accepted' && now.blockHeight === null)
    return true
  return next.status !== now.status || next.txId !== now.txId
}

async function voidUnminable(tx: Tx, intentId: string): Promise<void> {
  const numbers = liveAttempts(await readAttempts(tx, intentId)).map((each) => each.number)
  await voidAttempts(tx, intentId, numbers, 'unminable')
}

/**
 * Deletes refused bytes: of one attempt, or of all, which frees the nonce. The chain is queried for them all
 * the same.
 */
async function dropRefused(
  tx: Tx,
  intentId: string,
  number: number,
  all: boolean,
  why: string,
): Promise<void> {
  await tx.query(
    'update intent_attempts set bytes = null, refused = $4 where intent_id = $1 and (number = $2 or $3) and void_at is null and signed_at is not null',
    [intentId, number, all, why.slice(0, 300)],
  )
  if (all) await tx.query('delete from intent_nonces where intent_id = $1', [intentId])
}
