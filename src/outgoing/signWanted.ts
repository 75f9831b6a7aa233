import type { ConfiguredChain } from '../chains/registry.ts'
import type { SignedTransaction, Terms, TransferBuilder } from '../chains/sending.ts'
import type { Db, Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import type { Secret } from '../platform/secrets.ts'
import { approvalHold } from './approvalHold.ts'
import { failOutgoing } from './failOutgoing.ts'
import { type HoldContext, isHeld, sendingApprovals } from './hold.ts'
import { lockOutgoing, type OnChange, type Outgoing, type Purpose, storeSigned, voidTransactions } from './outgoing.ts'
import { isPaused } from './pause.ts'
import { approvalMessage, intentMessage, type ProvenApproval, requestMessage, type Verifier } from './proof.ts'

/** A chain that the treasury signs for. */
export interface Signing {
  chain: Pick<ConfiguredChain, 'name' | 'tokens' | 'maxFee'>
  builder: TransferBuilder
}

/** What a row is held to before it is signed. */
export type Check = 'intent proof' | 'request proof' | 'approval' | 'status' | 'token' | 'fee' | 'purpose' | 'wallet' | 'signed before' | 'sequence'

export interface SigningContext extends HoldContext {
  db: Db
  log: Log
  /** Builds and signs for a chain; asks no node. Null where the deployment does not have the chain. */
  signing(chain: string): Promise<Signing | null>
  /** The private key of a stored wallet, in the chain's own form. */
  openWallet(tx: Tx, walletId: string): Promise<Secret>
  /** Of the api, for intents, and of the worker, for requests of a transaction. */
  proofs: { intents: Verifier; requests: Verifier }
  /** Tests leave checks out, to show what each is for. */
  without?: readonly Check[]
  onChange: Record<Purpose, OnChange>
  signed(chain: string, outcome: 'signed' | 'refused' | 'failed'): void
}

const batchSize = 20
/** A row that cannot be signed is tried again after a while, for some minutes in all: what keeps it may pass. */
const [maxFailures, secondsBetween] = [10, 30]
/** One without a proof is tried for longer: the operator has time to prove it. */
const unprovenMinutes = 30

class Unproven extends Error {}
/** An intent is signed anew once, whoever says that it must be. */
const maxRenewals = 1

interface Wanted {
  outgoingId: string
  number: number
  chain: string
  sequence: string | null
  terms: Terms
  givenUp: string[]
  proof: Buffer | null
}

/**
 * Signs what rows ask for: of each business the oldest first, the businesses in turns. Recipient, amount and token follow from the row; the terms that a worker asked the chain for
 * can only make it dearer, up to the chain's limit (builders refuse terms that would make another transaction of it). Each row is held to
 * policy here, whoever wrote it; what is held because its business is suspended is left as it is. That a transaction which was given up can never come is believed of the worker, once for each intent.
 * @returns how many were looked at
 */
export async function signWanted(ctx: SigningContext): Promise<number> {
  const wanted = await ctx.db.query<Wanted>(
    `select "outgoingId", number, chain, sequence, terms, "givenUp", proof from (
       select t.outgoing_id as "outgoingId", t.number, t.chain, t.sequence, t.terms, t.given_up as "givenUp", t.proof, t.failures, t.created_at,
         row_number() over (partition by o.business_id order by t.failures, t.created_at) as turn
       from outgoing_transactions t
       join outgoing o on o.id = t.outgoing_id join businesses b on b.id = o.business_id and b.approval = any($3)
       where t.signed_at is null and t.void_at is null and t.chain not in (select chain from outgoing_pauses)
         and t.created_at + t.failures * $2 * interval '1 second' <= now()) wanted
     order by turn, failures, created_at limit $1`,
    [batchSize, secondsBetween, sendingApprovals(ctx)],
  )
  for (const each of wanted) await signOne(ctx, each).catch((error) => fail(ctx, each, error))
  return wanted.length
}

/** A row that cannot be signed goes behind the others, and is refused in the end: no row may keep the rest from being signed. */
async function fail(ctx: SigningContext, { outgoingId, number }: Wanted, error: unknown): Promise<void> {
  ctx.log.error({ outgoing: outgoingId, err: messageOf(error) }, 'a row could not be signed')
  await ctx.db.tx(async (tx) => {
    const row = await lockOutgoing(tx, outgoingId)
    const isUnproven = error instanceof Unproven
    const counted = await tx.query(
      `update outgoing_transactions set failures = failures + 1, unproven_since = case when $3 then coalesce(unproven_since, now()) else unproven_since end
       where outgoing_id = $1 and number = $2 and signed_at is null and void_at is null returning number`,
      [outgoingId, number, isUnproven],
    )
    if (!row || counted.length === 0) return
    ctx.signed(row.chain, 'failed')
    // Those of terms that were asked for anew meanwhile count as well.
    const [all] = await tx.query<{ isOver: boolean }>(
      `select coalesce(sum(failures) filter (where unproven_since is null) >= $2, false)
         or coalesce(min(unproven_since) <= now() - $3 * interval '1 minute', false) as "isOver"
       from outgoing_transactions where outgoing_id = $1`,
      [outgoingId, maxFailures, unprovenMinutes],
    )
    if (all?.isOver) await refuseRow(ctx, tx, row, number, isUnproven ? messageOf(error) : 'it could not be signed')
  })
}

const unapproved = 'it needs an approval that it does not have'

async function signOne(ctx: SigningContext, wanted: Wanted): Promise<void> {
  const outcome = await ctx.db.tx(async (tx) => {
    const row = await lockOutgoing(tx, wanted.outgoingId)
    const [still] = await tx.query(
      'select 1 from outgoing_transactions where outgoing_id = $1 and number = $2 and signed_at is null and void_at is null',
      [wanted.outgoingId, wanted.number],
    )
    if (!row || !still || (await isPaused(tx, row.chain)) || (await isHeld(ctx, tx, row.businessId)) || (await mayCome(tx, wanted))) return null
    if (await approvalHold(tx, row)) {
      // The row goes back to the worker, which waits for the approval or fails it.
      await voidTransactions(tx, row.id, [wanted.number], unapproved)
      return { row, outcome: 'refused' as const, refusal: unapproved }
    }
    const signing = await ctx.signing(row.chain)
    const refusal = signing ? await refuse(ctx, tx, row, wanted, signing) : `the treasury does not have ${row.chain}`
    if (refusal !== null || !signing) {
      await refuseRow(ctx, tx, row, wanted.number, refusal ?? '')
      return { row, outcome: 'refused' as const, refusal }
    }
    const key = await ctx.openWallet(tx, row.walletId ?? '')
    failpoint('treasury.transfer-opened')
    const sequence = wanted.sequence === null ? null : BigInt(wanted.sequence)
    const signed = signing.builder.sign(row.intent, wanted.terms, sequence, key)
    await keepSignature(tx, row, sequence, signed)
    await storeSigned(tx, row.id, wanted.number, signed)
    await tx.query(
      `update outgoing set status = case status when 'created' then 'signed' else status end,
         tx_id = case when status = 'created' then $2 else coalesce(tx_id, $2) end, next_look_at = now(), updated_at = now() where id = $1`,
      [row.id, signed.txId],
    )
    return { row, outcome: 'signed' as const, refusal: null }
  })
  if (!outcome) return
  failpoint('treasury.transfer-signed')
  ctx.signed(outcome.row.chain, outcome.outcome)
  const about = { outgoing: outcome.row.id, chain: outcome.row.chain }
  if (outcome.outcome === 'signed') ctx.log.info(about, 'signed')
  else ctx.log.error({ ...about, refusal: outcome.refusal }, 'the treasury does not sign a row')
}

/** The treasury's own record, which no other process can write: what it goes by when it is asked again. */
async function keepSignature(tx: Tx, row: Outgoing, sequence: bigint | null, { txId, expiry }: SignedTransaction): Promise<void> {
  await tx.query(
    'insert into treasury_signatures (outgoing_id, chain, tx_id, sequence, expires_at) values ($1, $2, $3, $4, $5) on conflict do nothing',
    [row.id, row.chain, txId, sequence?.toString() ?? null, expiry !== null && 'time' in expiry ? expiry.time : null],
  )
}

/** Whether a transaction that was given up has time left by its own word: then nothing is signed in its place yet. */
async function mayCome(tx: Tx, { outgoingId, sequence }: Wanted): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from outgoing_transactions where outgoing_id = $1 and sends > 0 and void_at is not null and expires_at > now()
     union all select 1 from treasury_signatures where outgoing_id = $1 and expires_at > now() and (sequence is null or sequence is distinct from $2)`,
    [outgoingId, sequence],
  )
  return rows.length > 0
}

/** Why a row is not signed; null where policy allows it. What another process has checked is checked again. */
async function refuse(ctx: SigningContext, tx: Tx, row: Outgoing, wanted: Wanted, { chain, builder }: Signing): Promise<string | null> {
  const holds = (check: Check) => !ctx.without?.includes(check)
  const isOpen = row.status === 'created' || row.status === 'signed' || row.status === 'broadcast' || row.status === 'unknown'
  if (holds('status') && !isOpen) return `it is ${row.status}`
  const { token } = row.intent
  const known = token === null || chain.tokens.some(({ contract, decimals }) => contract === token.contract && decimals === token.decimals)
  if (holds('token') && !known) return `it is of no token of ${chain.name}`
  if (holds('fee') && builder.maxFee(wanted.terms) > chain.maxFee) return `its fee may be more than ${chain.name} allows`
  return (
    (await refuseWallet(tx, row, holds)) ??
    (await refuseSecond(tx, row, wanted, holds)) ??
    (await refuseUnproven(ctx, tx, row, wanted, holds)) ??
    (holds('approval') ? await refuseUnapproved(ctx, tx, row) : null)
  )
}

/** Refuses an approval without the api's proof; whether it holds by what members may do now is asked before. */
async function refuseUnapproved({ proofs }: SigningContext, tx: Tx, { id, purpose, needsApproval }: Outgoing): Promise<string | null> {
  if (!needsApproval) return null
  const [approval] = await tx.query<ProvenApproval & { proof: Buffer | null }>(
    `select id, business_id as "businessId", subject, subject_id as "subjectId", asked_by_account as "askedByAccount", asked_by_key as "askedByKey",
       decided_by as "decidedBy", decided_at as "decidedAt", proof
     from approvals where subject = $1 and subject_id = $2 and decision = 'approved'`,
    [purpose, id],
  )
  return approval?.proof && proofs.intents.verifies(approvalMessage(approval), approval.proof) ? null : 'its approval is not of the api'
}

/**
 * Refuses rows without the proof of the process that is entitled to ask.
 * @throws Unproven for one without a proof: it is of an earlier version, and the operator can still prove it (`npm run outgoing -- prove`)
 */
async function refuseUnproven(
  { proofs }: SigningContext,
  tx: Tx,
  row: Outgoing,
  wanted: Wanted,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const [stored] = await tx.query<{ proof: Buffer | null }>('select proof from outgoing where id = $1', [row.id])
  const sequence = wanted.sequence === null ? null : BigInt(wanted.sequence)
  if (holds('intent proof')) {
    if (!stored?.proof) throw new Unproven('the intent has no proof')
    if (!proofs.intents.verifies(intentMessage(row), stored.proof)) return 'its proof is not of the api, or of another intent'
  }
  if (holds('request proof')) {
    if (!wanted.proof) throw new Unproven('the request for a transaction has no proof')
    if (!proofs.requests.verifies(requestMessage({ ...wanted, sequence }), wanted.proof))
      return 'the proof of its terms is not of the worker, or of other terms'
  }
  return null
}

async function refuseWallet(tx: Tx, row: Outgoing, holds: (check: Check) => boolean): Promise<string | null> {
  if (holds('purpose') && (row.purpose !== 'transfer' || row.signer !== 'wallet'))
    return `a row for ${row.purpose} of ${row.signer} is none that it signs`
  const [wallet] = await tx.query<{ address: string; chain: string; businessId: string; archivedAt: Date | null }>(
    'select address, chain, business_id as "businessId", archived_at as "archivedAt" from wallets where id = $1 for share',
    [row.walletId],
  )
  if (!holds('wallet')) return null
  if (!wallet || wallet.businessId !== row.businessId) return "the wallet is not the business's"
  // What is under way may still be replaced.
  if (wallet.archivedAt !== null && row.status === 'created') return 'the wallet is archived'
  return wallet.chain === row.chain && wallet.address === row.intent.from ? null : 'the wallet is of another address'
}

/**
 * Of several transactions of one intent at most one may ever be in a block: they share a sequence that is the intent's own, or the worker has
 * proven that the others can never come. What was signed before is read from the treasury's own record.
 */
async function refuseSecond(tx: Tx, row: Outgoing, wanted: Wanted, holds: (check: Check) => boolean): Promise<string | null> {
  const signed = await tx.query<{ txId: string; sequence: string | null }>(
    'select tx_id as "txId", sequence from treasury_signatures where outgoing_id = $1',
    [row.id],
  )
  const others = signed.filter(({ sequence }) => sequence === null || sequence !== wanted.sequence)
  if (holds('signed before')) {
    if (others.some(({ txId }) => !wanted.givenUp.includes(txId))) return 'another transaction of it is signed'
    if (new Set(others.map(({ sequence, txId }) => sequence ?? txId)).size > maxRenewals) return 'it was signed anew before'
  }
  if (wanted.sequence === null || !holds('sequence')) return null
  const [owned] = await tx.query('select 1 from outgoing_sequences where chain = $1 and address = $2 and sequence = $3 and outgoing_id = $4', [
    row.chain,
    row.intent.from,
    wanted.sequence,
    row.id,
  ])
  return owned ? null : 'its sequence is not its own'
}

/** The first transaction of a row that is refused fails it; a dearer one that is refused leaves those before it as they are. */
async function refuseRow(ctx: SigningContext, tx: Tx, row: Outgoing, number: number, refusal: string): Promise<void> {
  await voidTransactions(tx, row.id, [number], refusal)
  if (row.status === 'created') await failOutgoing(ctx, tx, row, 'policy', refusal)
}
