import { approvalMessage, type ProvenApproval } from '../approvals/proof.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ActionBuilder, SignedTransaction, Terms } from '../chains/sending.ts'
import type { Verifier } from '../custody/proof.ts'
import type { Db, Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import type { Secret } from '../platform/secrets.ts'
import { approvalHold } from './approvalHold.ts'
import { voidAttempts } from './attempts.ts'
import { failIntent } from './failIntent.ts'
import { type HoldContext, isHeld, sendingApprovals } from './hold.ts'
import { type Intent, lockIntent } from './intents.ts'
import { isPaused } from './pause.ts'
import { intentMessage, requestMessage } from './proof.ts'
import { storeSigned } from './storeSigned.ts'
import { type TransitionContext, transition } from './transition.ts'

/** A chain that the treasury signs for. */
export interface Signing {
  chain: Pick<ConfiguredChain, 'name' | 'tokens' | 'maxFee'>
  builder: ActionBuilder
}

/** The treasury's policy, check by check. */
export type Check = 'intent proof' | 'request proof' | 'approval' | 'status' | 'token' | 'fee' | 'purpose' | 'wallet' | 'signed before' | 'nonce'

export interface SigningContext extends HoldContext, TransitionContext {
  db: Db
  log: Log
  /** Builds and signs for a chain; asks no node. Null if the chain is not configured. */
  signing(chain: string): Promise<Signing | null>
  /** The private key of a stored wallet, in the chain's own form. */
  openWallet(tx: Tx, walletId: string): Promise<Secret>
  /** Of the API, for intents, and of the worker, for requests. */
  proofs: { intents: Verifier; requests: Verifier }
  /** Tests leave checks out to show their purpose. */
  without?: readonly Check[]
  signed(chain: string, outcome: 'signed' | 'refused' | 'failed'): void
}

const batchSize = 20
/** Retries a request that cannot be signed for some minutes. */
const [maxFailures, secondsBetween] = [10, 30]
/** Longer without a proof: gives the operator time to prove it. */
const unprovenMinutes = 30

class Unproven extends Error {}
/** The treasury's own limit; workers may request more. */
const maxResigns = 1

interface Wanted {
  intentId: string
  number: number
  chain: string
  nonce: string | null
  terms: Terms
  givenUp: string[]
  proof: Buffer | null
}

/**
 * Signs requests: takes turns between businesses, oldest request first. Recipient, amount and token follow from the intent; the worker's terms can
 * only raise the fee, up to the chain's limit (builders refuse terms that would make another transaction). Each request is checked against
 * policy again; those of suspended businesses stay as they are. The worker's word that an attempt is unminable is accepted once for each intent.
 * @returns how many requests were handled
 */
export async function signPending(ctx: SigningContext): Promise<number> {
  const wanted = await ctx.db.query<Wanted>(
    `select "intentId", number, chain, nonce, terms, "givenUp", proof from (
       select t.intent_id as "intentId", t.number, t.chain, t.nonce, t.terms, t.given_up as "givenUp", t.proof, t.failures, t.created_at,
         row_number() over (partition by o.business_id order by t.failures, t.created_at) as turn
       from intent_attempts t
       join intents o on o.id = t.intent_id join businesses b on b.id = o.business_id and b.approval = any($3)
       where t.signed_at is null and t.void_at is null and t.chain not in (select chain from sending_pauses)
         and t.created_at + t.failures * $2 * interval '1 second' <= now()) wanted
     order by turn, failures, created_at limit $1`,
    [batchSize, secondsBetween, sendingApprovals(ctx)],
  )
  for (const each of wanted) await signOne(ctx, each).catch((error) => fail(ctx, each, error))
  return wanted.length
}

/** Puts a request that cannot be signed behind the others, and refuses it in the end, so that it does not block them. */
async function fail(ctx: SigningContext, { intentId, number }: Wanted, error: unknown): Promise<void> {
  ctx.log.error({ intent: intentId, err: messageOf(error) }, 'a request could not be signed')
  await ctx.db.tx(async (tx) => {
    const row = await lockIntent(tx, intentId)
    const isUnproven = error instanceof Unproven
    const counted = await tx.query(
      `update intent_attempts set failures = failures + 1, unproven_since = case when $3 then coalesce(unproven_since, now()) else unproven_since end
       where intent_id = $1 and number = $2 and signed_at is null and void_at is null returning number`,
      [intentId, number, isUnproven],
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
    if (all?.isOver) await refuseRow(ctx, tx, row, number, isUnproven ? messageOf(error) : 'it could not be signed')
  })
}

const unapproved = 'it needs an approval that it does not have'

async function signOne(ctx: SigningContext, wanted: Wanted): Promise<void> {
  const outcome = await ctx.db.tx(async (tx) => {
    const row = await lockIntent(tx, wanted.intentId)
    const [still] = await tx.query('select 1 from intent_attempts where intent_id = $1 and number = $2 and signed_at is null and void_at is null', [
      wanted.intentId,
      wanted.number,
    ])
    if (!row || !still || (await isPaused(tx, row.chain)) || (await isHeld(ctx, tx, row.businessId)) || (await earlierAttemptMayBeMined(tx, wanted)))
      return null
    if (await approvalHold(tx, row)) {
      // The worker waits for the approval or fails the intent.
      await voidAttempts(tx, row.id, [wanted.number], unapproved)
      return { row, outcome: 'refused' as const, refusal: unapproved }
    }
    const signing = await ctx.signing(row.chain)
    const refusal = signing ? await refusalByPolicy(ctx, tx, row, wanted, signing) : `the treasury does not have ${row.chain}`
    if (refusal !== null || !signing) {
      await refuseRow(ctx, tx, row, wanted.number, refusal ?? '')
      return { row, outcome: 'refused' as const, refusal }
    }
    const key = await ctx.openWallet(tx, row.walletId ?? '')
    failpoint('treasury.transfer-opened')
    const nonce = wanted.nonce === null ? null : BigInt(wanted.nonce)
    const signed = signing.builder.sign(row.transfer, wanted.terms, nonce, [key])
    await keepSignature(tx, row, nonce, signed)
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
async function keepSignature(tx: Tx, row: Intent, nonce: bigint | null, { txId, expiry }: SignedTransaction): Promise<void> {
  await tx.query('insert into treasury_signatures (intent_id, chain, tx_id, nonce, expires_at) values ($1, $2, $3, $4, $5) on conflict do nothing', [
    row.id,
    row.chain,
    txId,
    nonce?.toString() ?? null,
    expiry !== null && 'time' in expiry ? expiry.time : null,
  ])
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

/** @returns why a request is refused; null if policy allows it. Trusts no check of another process */
async function refusalByPolicy(ctx: SigningContext, tx: Tx, row: Intent, wanted: Wanted, { chain, builder }: Signing): Promise<string | null> {
  const holds = (check: Check) => !ctx.without?.includes(check)
  const isOpen = row.status === 'created' || row.status === 'signed' || row.status === 'broadcast' || row.status === 'unknown'
  if (holds('status') && !isOpen) return `it is ${row.status}`
  const { token } = row.transfer
  const known = token === null || chain.tokens.some(({ contract, decimals }) => contract === token.contract && decimals === token.decimals)
  if (holds('token') && !known) return `its token is not known on ${chain.name}`
  if (holds('fee') && builder.maxFee(wanted.terms) > chain.maxFee) return `its fee may be more than ${chain.name} allows`
  return (
    (await refusalOfWallet(tx, row, holds)) ??
    (await refusalOfSecondSignature(tx, row, wanted, holds)) ??
    (await refusalOfUnproven(ctx, tx, row, wanted, holds)) ??
    (holds('approval') ? await refusalOfUnapproved(ctx, tx, row) : null)
  )
}

/** Refuses an approval without the API's proof. `approvalHold` has checked the present rights of its members. */
async function refusalOfUnapproved({ proofs }: SigningContext, tx: Tx, { id, purpose, needsApproval }: Intent): Promise<string | null> {
  if (!needsApproval) return null
  const [approval] = await tx.query<ProvenApproval & { proof: Buffer | null }>(
    `select id, business_id as "businessId", subject, subject_id as "subjectId", asked_by_account as "askedByAccount", asked_by_key as "askedByKey",
       decided_by as "decidedBy", decided_at as "decidedAt", proof
     from approvals where subject = $1 and subject_id = $2 and decision = 'approved'`,
    [purpose, id],
  )
  return approval?.proof && proofs.intents.verifies(approvalMessage(approval), approval.proof) ? null : 'its approval has no valid proof of the API'
}

/**
 * Refuses an intent or a request without a valid proof of its process.
 * @throws Unproven without any proof: it is of an earlier version, and the operator can still prove it (`npm run intents -- prove`)
 */
async function refusalOfUnproven(
  { proofs }: SigningContext,
  tx: Tx,
  row: Intent,
  wanted: Wanted,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const [stored] = await tx.query<{ proof: Buffer | null }>('select proof from intents where id = $1', [row.id])
  const nonce = wanted.nonce === null ? null : BigInt(wanted.nonce)
  if (holds('intent proof')) {
    if (!stored?.proof) throw new Unproven('the intent has no proof')
    if (!proofs.intents.verifies(intentMessage(row), stored.proof)) return 'its proof is not of the API, or of another intent'
  }
  if (holds('request proof')) {
    if (!wanted.proof) throw new Unproven('the request for a transaction has no proof')
    if (!proofs.requests.verifies(requestMessage({ ...wanted, nonce }), wanted.proof))
      return 'the proof of its terms is not of the worker, or of other terms'
  }
  return null
}

async function refusalOfWallet(tx: Tx, row: Intent, holds: (check: Check) => boolean): Promise<string | null> {
  if (holds('purpose') && (row.purpose !== 'transfer' || row.signer !== 'wallet')) return `it does not sign a ${row.purpose} of signer ${row.signer}`
  const [wallet] = await tx.query<{ address: string; chain: string; businessId: string; archivedAt: Date | null }>(
    'select address, chain, business_id as "businessId", archived_at as "archivedAt" from wallets where id = $1 for share',
    [row.walletId],
  )
  if (!holds('wallet')) return null
  if (!wallet || wallet.businessId !== row.businessId) return "the wallet is not the business's"
  // A sent one may still get a higher fee.
  if (wallet.archivedAt !== null && row.status === 'created') return 'the wallet is archived'
  return wallet.chain === row.chain && wallet.address === row.transfer.from ? null : 'the wallet is of another address'
}

/**
 * Makes sure that at most one attempt of an intent can ever be mined: they share a nonce that is the intent's own, or the worker has proven that
 * the others are unminable. Earlier attempts are read from the treasury's own record.
 */
async function refusalOfSecondSignature(tx: Tx, row: Intent, wanted: Wanted, holds: (check: Check) => boolean): Promise<string | null> {
  const signed = await tx.query<{ txId: string; nonce: string | null }>(
    'select tx_id as "txId", nonce from treasury_signatures where intent_id = $1',
    [row.id],
  )
  const others = signed.filter(({ nonce }) => nonce === null || nonce !== wanted.nonce)
  if (holds('signed before')) {
    if (others.some(({ txId }) => !wanted.givenUp.includes(txId))) return 'another transaction of it is signed'
    if (new Set(others.map(({ nonce, txId }) => nonce ?? txId)).size > maxResigns) return 'it was signed again before'
  }
  if (wanted.nonce === null || !holds('nonce')) return null
  const [owned] = await tx.query('select 1 from intent_nonces where chain = $1 and address = $2 and nonce = $3 and intent_id = $4', [
    row.chain,
    row.transfer.from,
    wanted.nonce,
    row.id,
  ])
  return owned ? null : 'its nonce is not its own'
}

/** Refuses a request. The intent fails if nothing of it is signed; a refused bump of the fee leaves earlier attempts as they are. */
async function refuseRow(ctx: SigningContext, tx: Tx, row: Intent, number: number, refusal: string): Promise<void> {
  await voidAttempts(tx, row.id, [number], refusal)
  if (row.status === 'created') await failIntent(ctx, tx, row, 'policy', refusal)
}
