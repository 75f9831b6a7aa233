import { hasProvenApproval } from '../approvals/hasProvenApproval.ts'
import { type CallsSpec, flowsOf } from '../chains/action.ts'
import type { ActionBuilder, Terms } from '../chains/sending.ts'
import type { PlatformAddresses } from '../custody/platformAddresses.ts'
import type { Verifier } from '../custody/proof.ts'
import { readSettings } from '../platform/config.ts'
import type { Tx } from '../platform/database/db.ts'
import { BaseError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { actionText } from './actionJson.ts'
import { type FeeSettings, type FeeStop, feeLimits, feeStop, lockBudget } from './fees/feeLimits.ts'
import {
  type Intent,
  type IntentPurpose,
  type PurposesContext,
  purposeOf,
  type Signer,
  type TreasuryChain,
  type TreasuryFacts,
} from './intents.ts'
import { cancellationMessage, intentMessage, requestMessage } from './proof.ts'

/** A chain that the treasury signs for. */
export interface Signing {
  chain: TreasuryChain & FeeSettings
  builder: ActionBuilder
}

/** The treasury's policy, check by check. */
export type Check =
  | 'intent proof'
  | 'request proof'
  | 'approval'
  | 'cancelled'
  | 'status'
  | 'token'
  | 'fee'
  | 'tables'
  | 'budget'
  | 'flows'
  | 'purpose'
  | 'policy'
  | 'action'
  | 'signer'
  | 'signed before'
  | 'nonce'

/** Opens keys, in the treasury alone. */
export interface IntentSigner {
  name: Signer
  /** @returns why the signer's keys are not those of the intent's owner and addresses; null if they are */
  refusal(tx: Tx, row: Intent): Promise<string | null>
  /** The keys, in the chain's own form and in the order of `signersOf`. */
  open(tx: Tx, row: Intent): Promise<readonly Secret[]>
}

export interface PolicyContext extends PurposesContext {
  signers: readonly IntentSigner[]
  /** Without them no intent is signed whose purpose works out an address of the platform. */
  addresses?: PlatformAddresses
  /** Of the processes that make intents; requests are the worker's. */
  proofs: Readonly<Record<IntentPurpose['madeBy'], Verifier>>
  /** Left out: each setting has its default. */
  settings?: TreasuryFacts['settings']
  /** Tests leave checks out to show their purpose. */
  without?: readonly Check[]
}

/** A request for a signature. */
export interface Wanted {
  intentId: string
  number: number
  chain: string
  nonce: string | null
  terms: Terms
  givenUp: string[]
  cancels: boolean
  proof: Buffer | null
}

/** A row that the treasury should sign lacks a valid proof of its maker. */
export class UnprovenError extends BaseError {
  readonly code = 'unproven'
  readonly retry = 'no'
  constructor(message: string) {
    super(message, { publicText: message })
  }
}

/** The treasury's own limit; workers may request more. */
const maxResigns = 1

/** @returns why a request is refused; null if policy allows it. Trusts no check of another process */
export async function refusalByPolicy(
  ctx: PolicyContext,
  tx: Tx,
  row: Intent,
  wanted: Wanted,
  { chain, builder }: Signing,
): Promise<string | null> {
  const holds = (check: Check) => !ctx.without?.includes(check)
  const isOpen =
    row.status === 'created' ||
    row.status === 'signed' ||
    row.status === 'broadcast' ||
    row.status === 'unknown'
  if (holds('status') && !isOpen) return `it is ${row.status}`
  if (holds('cancelled') && row.isCancelled && !wanted.cancels) return 'it is cancelled'
  const { spends, receives } = flowsOf(row.action)
  // Customers send accepted tokens alone; the platform also moves look-alikes that people paid with.
  const tokens = row.businessId === null ? [...chain.tokens, ...chain.lookalikes] : chain.tokens
  const known = [...spends, ...receives].every(
    ({ token }) =>
      token === null ||
      tokens.some(({ contract, decimals }) => contract === token.contract && decimals === token.decimals),
  )
  if (holds('token') && !known) return `its token is not known on ${chain.name}`
  if (holds('fee') && builder.maxFee(wanted.terms) > chain.maxFee)
    return `its fee may be more than ${chain.name} allows`
  // What a place in a table holds, only nodes know: another process could name a table that swaps the
  // accounts of a call.
  const tables = row.signer === 'caller' ? [] : (builder.tables?.(wanted.terms) ?? [])
  if (holds('tables') && tables.some((table) => table !== chain.cctp?.lookupTable))
    return "its accounts come from a lookup table that is not the operator's"
  return (
    (await refusalOfPurpose(ctx, tx, row, chain, holds)) ??
    (await refusalOfSecondSignature(tx, row, wanted, holds)) ??
    (await refusalOfUnproven(ctx, tx, row, wanted, holds)) ??
    (holds('cancelled') && wanted.cancels ? await refusalOfCancellation(ctx, tx, row) : null) ??
    (holds('approval') ? await refusalOfUnapproved(ctx, tx, row) : null)
  )
}

/**
 * The operator's limits of fees. A row that a limit of the treasury's own settings does not bound would lift
 * it, so both count. The request is not refused for good: limits change while transfers wait.
 */
export async function feeStopOfSignature(
  ctx: PolicyContext,
  tx: Tx,
  { id }: Intent,
  fee: bigint,
  { chain }: Signing,
): Promise<FeeStop | null> {
  const holds = (check: Check) => !ctx.without?.includes(check)
  const { name, maxFee, feeBudget = null } = chain
  const settings = {
    name,
    maxFee: holds('fee') ? maxFee : fee,
    feeBudget: holds('budget') ? feeBudget : null,
  }
  if ((await feeLimits(tx, settings)).budget !== null) await lockBudget(tx, name)
  return feeStop(tx, settings, id, fee)
}

/**
 * Refuses to take the nonce of a payment that its business has not cancelled, and whose deadline has not
 * passed.
 */
async function refusalOfCancellation(
  { proofs }: PolicyContext,
  tx: Tx,
  { id, status, validUntil }: Intent,
): Promise<string | null> {
  if (status === 'created') return 'nothing of it was sent'
  const [row] = await tx.query<{ at: Date | null; proof: Buffer | null; isOver: boolean }>(
    'select cancel_requested_at as at, cancel_proof as proof, coalesce(valid_until <= clock_timestamp(), false) as "isOver" from intents where id = $1',
    [id],
  )
  // The proof of the intent has its deadline in it.
  if (validUntil !== null && row?.isOver) return null
  const isProven = row?.at && row.proof && proofs.api.verifies(cancellationMessage(id, row.at), row.proof)
  return isProven ? null : 'its cancellation has no valid proof of the API'
}

/**
 * Refuses an approval without the API's proof. `approvalHold` has checked the present rights of its members.
 */
async function refusalOfUnapproved(
  { proofs }: PolicyContext,
  tx: Tx,
  { id, purpose, needsApproval }: Intent,
): Promise<string | null> {
  if (!needsApproval) return null
  return (await hasProvenApproval(tx, proofs.api, purpose, id))
    ? null
    : 'its approval has no valid proof of the API'
}

/**
 * Refuses an intent or a request without a valid proof of its process.
 * @throws UnprovenError without any proof: it is of an earlier version, and the operator can still prove it
 * (`npm run cowry -- intents prove`)
 */
async function refusalOfUnproven(
  ctx: PolicyContext,
  tx: Tx,
  row: Intent,
  wanted: Wanted,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const [stored] = await tx.query<{ proof: Buffer | null }>('select proof from intents where id = $1', [
    row.id,
  ])
  const nonce = wanted.nonce === null ? null : BigInt(wanted.nonce)
  if (holds('intent proof')) {
    if (!stored?.proof) throw new UnprovenError('the intent has no proof')
    const maker = purposeOf(ctx, row.purpose)?.madeBy ?? 'api'
    if (!ctx.proofs[maker].verifies(intentMessage(row), stored.proof))
      return `its proof is not of the ${makers[maker]}, or of another intent`
  }
  if (holds('request proof')) {
    if (!wanted.proof) throw new UnprovenError('the request for a transaction has no proof')
    if (!ctx.proofs.worker.verifies(requestMessage({ ...wanted, nonce }), wanted.proof))
      return 'the proof of its terms is not of the worker, or of other terms'
  }
  return null
}

const makers = { api: 'API', worker: 'worker' } as const

/** Refuses what the purpose does not allow, or its signer has no keys for. */
async function refusalOfPurpose(
  ctx: PolicyContext,
  tx: Tx,
  row: Intent,
  chain: TreasuryChain,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const purpose = purposeOf(ctx, row.purpose)
  const signer = ctx.signers.find(({ name }) => name === row.signer)
  if (holds('purpose') && (!purpose?.signers.includes(row.signer) || !signer))
    return `it does not sign a ${row.purpose} of signer ${row.signer}`
  if (holds('flows') && row.action.kind === 'calls' && sendsMore(row.action))
    return 'its calls send more of the native coin than it states'
  const bySigner = holds('signer') && signer ? await signer.refusal(tx, row) : null
  const own: TreasuryFacts = {
    addresses: ctx.addresses ?? noAddresses,
    chain,
    proofs: ctx.proofs,
    settings: ctx.settings ?? defaults,
  }
  return bySigner ?? (purpose && (await refusalOfOther(purpose, tx, row, own, holds)))
}

const unknown = () => {
  throw new Error('the addresses of the platform are not known here')
}
const defaults: TreasuryFacts['settings'] = (settings) => readSettings('treasury', settings, {})
const noAddresses: PlatformAddresses = { treasury: unknown, staking: unknown, deposit: unknown }

async function refusalOfOther(
  { policy }: IntentPurpose,
  tx: Tx,
  row: Intent,
  own: TreasuryFacts,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const refusal = holds('policy') ? await policy.check(tx, row, own) : null
  if (refusal !== null || !policy.action || !holds('action')) return refusal
  const expected = await policy.action(tx, row, own)
  return expected !== null && actionText(expected) === actionText(row.action)
    ? null
    : 'it is not what its purpose sends'
}

/** Native coin that calls send along comes from the sender, and must be in what it spends. */
function sendsMore({ from, calls, spends }: CallsSpec): boolean {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, each) => all + each, 0n)
  const stated = spends.filter(({ address, token }) => address === from && token === null)
  return sum(calls.map(({ value }) => value)) > sum(stated.map(({ amount }) => amount))
}

/**
 * Makes sure that at most one attempt of an intent can ever be mined: they share a nonce that is the intent's
 * own, or the worker has proven that the others are unminable. Earlier attempts are read from the treasury's
 * own record.
 */
async function refusalOfSecondSignature(
  tx: Tx,
  row: Intent,
  wanted: Wanted,
  holds: (check: Check) => boolean,
): Promise<string | null> {
  const signed = await tx.query<{ txId: string; nonce: string | null }>(
    'select tx_id as "txId", nonce from treasury_signatures where intent_id = $1',
    [row.id],
  )
  const others = signed.filter(({ nonce }) => nonce === null || nonce !== wanted.nonce)
  if (holds('signed before')) {
    if (others.some(({ txId }) => !wanted.givenUp.includes(txId)))
      return 'another transaction of it is signed'
    if (new Set(others.map(({ nonce, txId }) => nonce ?? txId)).size > maxResigns)
      return 'it was signed again before'
  }
  if (wanted.nonce === null || !holds('nonce')) return null
  const [owned] = await tx.query(
    'select 1 from intent_nonces where chain = $1 and address = $2 and nonce = $3 and intent_id = $4',
    [row.chain, row.action.from, wanted.nonce, row.id],
  )
  return owned ? null : 'its nonce is not its own'
}
