import { type Needs, needsSql } from '../approvals/independence.ts'
import type { Action, Flow, IfNoTrustline, TransferSpec } from '../chains/action.ts'
import type { MemoType } from '../chains/chain.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { PlatformAddresses } from '../custody/platformAddresses.ts'
import type { Prover, Verifier } from '../custody/proof.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Settings, SettingValues } from '../platform/settings.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import {
  readCalls,
  readFlows,
  requireSoundCalls,
  type StoredCall,
  type StoredFlow,
  writeCalls,
  writeFlows,
} from './actionJson.ts'
import { feeWaitSql } from './fees/feeWait.ts'
import { heldAtAllSql } from './hold.ts'
import { requireNormalAddresses } from './normalAddresses.ts'
import { intentMessage } from './proof.ts'

/**
 * `created`: nothing is signed. `signed`: signed bytes are stored, perhaps sent. `broadcast`: the network
 * accepted them. `unknown`: no node reports whether it has them. `confirmed`: succeeded in a block that is
 * deep enough. `failed`: failed in such a block, or before anything was sent.
 * `expired`: unminable.
 */
export type IntentStatus = 'created' | 'signed' | 'broadcast' | 'confirmed' | 'failed' | 'expired' | 'unknown'

/**
 * Signers by name; capabilities merge theirs into it. `caller`: a key in the request, which is not stored.
 * `external`: the customer's own wallet.
 * `wallet`: the treasury, with a stored wallet. `deposit`: the treasury, with the key of a deposit address.
 * `treasury`: with its own key, and those of deposit addresses that cosign. `staking`: the treasury, with the
 * key of the staking address.
 */
export interface IntentSigners {
  caller: true
  external: true
  wallet: true
  deposit: true
  treasury: true
  staking: true
}
export type Signer = keyof IntentSigners

/** Checks if the treasury signs for a signer: all but keys of requests and customers' own wallets. */
export const isOwnSigner = (signer: Signer): boolean => signer !== 'caller' && signer !== 'external'

/** Purposes by name; each capability merges its own into it, and registers its `IntentPurpose`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged into
export interface IntentPurposes {}
export type Purpose = keyof IntentPurposes

/** Publishes a change of an intent, in the transaction of the change. */
export type OnChange = (tx: Tx, row: Intent, before: IntentStatus) => Promise<void>

/** What a capability sends. Each process lists the purposes that it knows. */
export interface IntentPurpose {
  name: Purpose
  signers: readonly Signer[]
  /**
   * The process that stores its intents: the treasury verifies their proofs with the key of this process, and
   * no other.
   */
  madeBy: 'api' | 'worker'
  onChange: OnChange
  policy: IntentPolicy
  /**
   * Reads why its cause does not let it leave any more; null: it may leave. Called in the transaction that
   * requests a signature, and in the one that counts its first send, with the intent locked. Left out: only
   * holds, pauses and restores keep it.
   */
  stop?(ctx: StopContext, tx: Tx, row: Intent): Promise<IntentStop | null>
}

/** Why an intent of which nothing was sent must not leave. */
export interface IntentStop {
  /** The code of its cause, which follows it; a text, if nothing does. */
  reason: string
  /** False: it may leave later, and once it is signed this does not keep it. */
  ends: boolean
  /** It waits unsigned, too: its cause makes no other one. */
  waits?: true
}

/** The treasury's policy of a purpose. It reads only tables that it trusts, and reads no node. */
export interface IntentPolicy {
  /** @returns why it is not signed; null if it may be */
  check(tx: Tx, row: Intent, own: TreasuryFacts): Promise<string | null>
  /**
   * Works out the action by itself, where the purpose fixes it; any other one is refused. Null: it must not
   * be sent at all.
   */
  action?(tx: Tx, row: Intent, own: TreasuryFacts): Promise<Action | null>
}

/**
 * What the treasury knows by itself: addresses from its seed, its own settings of the intent's chain, and the
 * keys of the processes that prove rows to it.
 */
export interface TreasuryFacts {
  addresses: PlatformAddresses
  chain: TreasuryChain
  proofs: Readonly<Record<IntentPurpose['madeBy'], Verifier>>
  /** The treasury's values of a capability's settings. */
  settings<S extends Settings>(settings: S): SettingValues<S>
}

export type TreasuryChain = Pick<
  ConfiguredChain,
  'name' | 'family' | 'network' | 'native' | 'tokens' | 'lookalikes' | 'maxFee'
> &
  Partial<Pick<ConfiguredChain, 'gasBudget' | 'dailyLimits' | 'cctp'>>

export interface PurposesContext {
  purposes: readonly IntentPurpose[]
}

/** What reading the cause of an intent needs. */
export interface StopContext extends PurposesContext {
  /** The process's values of a capability's settings. */
  settings<S extends Settings>(settings: S): SettingValues<S>
}

/** Null if this process does not know it: it is of a later version, or forged. */
export const purposeOf = ({ purposes }: PurposesContext, name: string): IntentPurpose | null =>
  purposes.find((each) => each.name === name) ?? null

/** Something to send, with its state from request to settled. */
export interface Intent {
  id: string
  /** The owner; null: the platform. */
  businessId: string | null
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  action: Action
  /** Of a transfer's token or native coin; null for calls. */
  symbol: string | null
  decimals: number | null
  status: IntentStatus
  /** Code of the failure or expiry; stable. Null otherwise. */
  reason: string | null
  /** The reason as text, if there is one. */
  message: string | null
  txId: string | null
  blockHeight: number | null
  /** Base units of the native coin. */
  fee: bigint | null
  gasUsed: bigint | null
  /** Solana: by how much the sender's native coin changed, wrapped SOL with it, without the fee. */
  nativeChange: bigint | null
  /** What tokens kept of what reached its recipients, as the chain reports it; null: not known. */
  tokenKept: readonly Flow[] | null
  /** Tokens that reached the recipients of a caller's calls, as the chain reports it; null: not known. */
  received: readonly Flow[] | null
  /**
   * The intent that must be in the network before this one is sent, and whose failure ends it; null:
   * independent.
   */
  follows: string | null
  /** Counts reconciles, as a fence: a process that another one has overtaken must not write. */
  reconciles: number
  /** Times that the treasury signed it again because its attempts were unminable. */
  resigns: number
  /** How long nodes have reported without interruption that it is unminable; 0 if they do not. */
  unminableForMs: number
  /** Sequence of its transaction, if that makes a claimable balance (Stellar). */
  claimableSequence: bigint | null
  /** How long it has waited for a lower fee; null if it does not. */
  feeWaitForMs: number | null
  /** Nothing can change any more. */
  settled: boolean
  /**
   * Waits, neither signed nor sent, because the operator holds it or its business is suspended. For display
   * only: to sign, call `isHeld`.
   */
  held: boolean
  /** The operator holds it by itself, whether something of it was sent or not. */
  isHeldAlone: boolean
  /** The operator's minimum for its transaction, per unit of gas; null: not set. */
  minPrice: bigint | null
  /** Not planned or signed before a second owner has approved it. */
  needsApproval: boolean
  /** From then on it is cancelled; null: no deadline. */
  validUntil: Date | null
  /** When its business cancelled it. */
  cancelRequestedAt: Date | null
  /**
   * By its business or its deadline: no more of it is planned, signed or sent, but what cancels it. It may be
   * confirmed all the same.
   */
  isCancelled: boolean
  approval: {
    decision: 'approved' | 'refused' | null
    expiresAt: string
    decidedAt: string | null
    needs: Needs | null
  } | null
  createdAt: Date
  updatedAt: Date
}

/**
 * SQL: a row of `intents` that its business or its deadline has cancelled. The transaction may have started
 * before the deadline.
 */
const cancelledSql = '(cancel_requested_at is not null or coalesce(valid_until <= clock_timestamp(), false))'

const columns = `id, business_id as "businessId", purpose, chain, signer, wallet_id as "walletId", from_address as "from", to_address as "to",
  symbol, contract, decimals, amount, memo, memo_type as "memoType", calls, cosigners, spends, receives, gas_price as "gasPrice", gas_limit as "gasLimit", if_no_trustline as "ifNoTrustline",
  wait_until as "waitUntil", status, reason, message,
  tx_id as "txId", block_height as "blockHeight", fee, gas_used as "gasUsed", native_change as "nativeChange", token_kept as "tokenKept", received, follows,
  reconciles, resigns,
  coalesce(extract(epoch from now() - unminable_since) * 1000, 0)::float8 as "unminableForMs", next_reconcile_at is null as settled,
  case when if_no_trustline = 'claimable' then (select t.nonce from intent_attempts t
    where t.intent_id = intents.id and t.tx_id = intents.tx_id and t.terms->'claimable' is not null limit 1) end as "claimableSequence", ${heldAtAllSql} as held,
   case when ${feeWaitSql} then (extract(epoch from now() - fee_waits_since) * 1000)::float8 end as "feeWaitForMs",
   held_at is not null as "isHeldAlone", min_price as "minPrice",
   needs_approval as "needsApproval", valid_until as "validUntil", cancel_requested_at as "cancelRequestedAt", ${cancelledSql} as "isCancelled",
   (select jsonb_build_object('decision', a.decision, 'expiresAt', a.expires_at, 'decidedAt', a.decided_at, 'needs', ${needsSql})
    from approvals a where intents.needs_approval and a.subject = intents.purpose and a.subject_id = intents.id) as approval,
   created_at as "createdAt", updated_at as "updatedAt"`

interface ActionColumns {
  from: string
  to: string | null
  contract: string | null
  amount: string | null
  memo: string | null
  memoType: MemoType | null
  gasPrice: string | null
  gasLimit: string | null
  ifNoTrustline: IfNoTrustline['kind'] | null
  waitUntil: Date | null
  /** Null for transfers, like the three below. */
  calls: StoredCall[] | null
  cosigners: string[] | null
  spends: StoredFlow[] | null
  receives: StoredFlow[] | null
}
type NumberColumn = 'blockHeight' | 'fee' | 'gasUsed' | 'nativeChange' | 'minPrice' | 'claimableSequence'
type FlowColumn = 'tokenKept' | 'received'
type Row = Omit<Intent, 'action' | FlowColumn | NumberColumn> &
  ActionColumns &
  Record<FlowColumn, StoredFlow[] | null> &
  Record<NumberColumn, string | null>

export const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

function fromRow(row: Row): Intent {
  const {
    from,
    to,
    contract,
    amount,
    memo,
    memoType,
    gasPrice,
    gasLimit,
    ifNoTrustline,
    waitUntil,
    ...others
  } = row
  const {
    calls,
    cosigners,
    spends,
    receives,
    blockHeight,
    fee,
    gasUsed,
    nativeChange,
    tokenKept,
    received,
    minPrice,
    claimableSequence,
    ...rest
  } = others
  return {
    ...rest,
    blockHeight: blockHeight === null ? null : Number(blockHeight),
    fee: whole(fee),
    gasUsed: whole(gasUsed),
    nativeChange: whole(nativeChange),
    tokenKept: tokenKept && readFlows(tokenKept),
    received: received && readFlows(received),
    minPrice: whole(minPrice),
    claimableSequence: whole(claimableSequence),
    action: readAction(row),
  }
}

function readAction({
  from,
  gasPrice,
  gasLimit,
  ...row
}: ActionColumns & Pick<Intent, 'symbol' | 'decimals'>): Action {
  const gas = { gasPrice: whole(gasPrice), gasLimit: whole(gasLimit) }
  if (row.calls !== null) {
    const flows = { spends: readFlows(row.spends ?? []), receives: readFlows(row.receives ?? []) }
    return {
      kind: 'calls',
      from,
      calls: readCalls(row.calls),
      cosigners: row.cosigners ?? [],
      ...flows,
      ...gas,
    }
  }
  const { to, contract, amount, symbol, decimals, memo, memoType } = row
  if (to === null || amount === null || symbol === null || decimals === null)
    throw new Error('the intent is neither a transfer nor calls')
  const token = contract === null ? null : { contract, symbol, decimals }
  return {
    kind: 'transfer',
    from,
    to,
    token,
    amount: BigInt(amount),
    memo: memo === null || memoType === null ? null : { value: memo, type: memoType },
    ...gas,
    ...readIfNoTrustline(row),
  }
}

function readIfNoTrustline({
  ifNoTrustline: kind,
  waitUntil: until,
}: Pick<ActionColumns, 'ifNoTrustline' | 'waitUntil'>) {
  if (kind === null) return {}
  if (kind === 'claimable') return { ifNoTrustline: { kind } }
  if (until === null) throw new Error('a transfer that waits has no end')
  return { ifNoTrustline: { kind, until } }
}

/** A transfer of a business. */
export type BusinessTransfer = Intent & {
  businessId: string
  action: TransferSpec
  symbol: string
  decimals: number
}

/** @throws Error for calls, and for intents of the platform */
export function businessTransfer(row: Intent): BusinessTransfer {
  if (row.businessId === null || row.action.kind !== 'transfer')
    throw new Error(`intent ${row.id} is not a transfer of a business`)
  return row as BusinessTransfer
}

/**
 * Reads intents.
 * @param where SQL over the table `intents`, with `values` from $1 on
 */
export async function readIntents(db: Queryable, where: string, values: unknown[]): Promise<Intent[]> {
  return (await db.query<Row>(`select ${columns} from intents where ${where}`, values)).map(fromRow)
}

/** Locks an intent until the end of the transaction; null if it does not exist. */
export async function lockIntent(tx: Tx, id: string): Promise<Intent | null> {
  const [row] = await readIntents(tx, 'id = $1 for update', [id])
  return row ?? null
}

export interface NewIntent {
  id?: string
  /** Null: of the platform. */
  businessId: string | null
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  action: Action
  /** Of a transfer's token or native coin; null for calls. */
  symbol: string | null
  decimals: number | null
  /** The requester, if a stored wallet sends: limits of keys count by it. */
  askedBy?: RequestedBy
  /** A second owner's approval is requested in the same transaction. */
  needsApproval?: boolean
  /** From then on it is cancelled. */
  validUntil?: Date | null
  /** The intent that must be in the network before this one is sent. */
  follows?: string | null
}

/** A key or an account; neither if it is not known. */
export interface RequestedBy {
  apiKeyId: string | null
  accountId: string | null
}

/**
 * Stores an intent. Its request may work on it for `reconcileInMs`, until a worker takes over.
 * @param prover of the process that makes intents of this purpose; null if the treasury does not sign it
 * @throws Error for a purpose that is not registered, a signer that it does not have, or an address that is
 * not in normal form
 */
export async function insertIntent(
  ctx: PurposesContext,
  tx: Tx,
  wanted: NewIntent,
  reconcileInMs: number,
  prover: Prover | null,
): Promise<Intent> {
  const { action, id = newId() } = wanted
  if (!purposeOf(ctx, wanted.purpose)?.signers.includes(wanted.signer))
    throw new Error(`no purpose ${wanted.purpose} with signer ${wanted.signer} is registered`)
  if (action.kind === 'calls') requireSoundCalls(action)
  requireNormalAddresses(wanted.chain, action)
  const createdAt = new Date()
  const { traceparent, requestId } = currentCause()
  const proof = prover?.prove(intentMessage({ ...wanted, id, createdAt })) ?? null
  const transfer = action.kind === 'transfer' ? action : null
  const calls = action.kind === 'calls' ? action : null
  const [row] = await tx.query<Row>(
    `insert into intents (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount,
       memo, memo_type, gas_price, gas_limit, if_no_trustline, wait_until, calls, cosigners, spends, receives, api_key_id, account_id, needs_approval, status, next_reconcile_at,
       created_at, proof, valid_until, follows, traceparent, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, 'created',
       now() + $26 * interval '1 millisecond', $27, $28, $29, $30, $31, $32)
     returning ${columns}`,
    [
      id,
      wanted.businessId,
      wanted.purpose,
      wanted.chain,
      wanted.signer,
      wanted.walletId,
      action.from,
      transfer?.to ?? null,
      wanted.symbol,
      transfer?.token?.contract ?? null,
      wanted.decimals,
      transfer?.amount.toString() ?? null,
      transfer?.memo?.value ?? null,
      transfer?.memo?.type ?? null,
      action.gasPrice?.toString() ?? null,
      action.gasLimit?.toString() ?? null,
      transfer?.ifNoTrustline?.kind ?? null,
      transfer?.ifNoTrustline?.kind === 'wait' ? transfer.ifNoTrustline.until : null,
      calls && JSON.stringify(writeCalls(calls.calls)),
      calls && [...calls.cosigners],
      calls && JSON.stringify(writeFlows(calls.spends)),
      calls && JSON.stringify(writeFlows(calls.receives)),
      wanted.askedBy?.apiKeyId ?? null,
      wanted.askedBy?.accountId ?? null,
      wanted.needsApproval ?? false,
      reconcileInMs,
      createdAt,
      proof,
      wanted.validUntil ?? null,
      wanted.follows ?? null,
      traceparent,
      requestId,
    ],
  )
  if (!row) throw new Error('the intent was not stored')
  return fromRow(row)
}
