import type { Action, TransferSpec } from '../chains/action.ts'
import type { MemoType } from '../chains/chain.ts'
import type { Prover } from '../custody/proof.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { readCalls, readFlows, requireSoundCalls, type StoredCall, type StoredFlow, writeCalls, writeFlows } from './actionJson.ts'
import { feeWaitSql } from './feeWait.ts'
import { heldSql } from './hold.ts'
import { requireNormalAddresses } from './normalAddresses.ts'
import { intentMessage } from './proof.ts'

/**
 * `created`: nothing is signed. `signed`: signed bytes are stored, perhaps sent. `broadcast`: the network accepted them. `unknown`: no node can
 * say whether it has them. `confirmed`: succeeded in a block that is deep enough. `failed`: failed in such a block, or before anything was sent.
 * `expired`: unminable.
 */
export type IntentStatus = 'created' | 'signed' | 'broadcast' | 'confirmed' | 'failed' | 'expired' | 'unknown'

/**
 * Signers by name; capabilities merge theirs into it. `caller`: a key in the request, which is not stored. `external`: the customer's own wallet.
 * `wallet`: the treasury, with a stored wallet.
 */
export interface IntentSigners {
  caller: true
  external: true
  wallet: true
}
export type Signer = keyof IntentSigners

/** Checks if the treasury signs for a signer: all but keys of requests and customers' own wallets. */
export const isOurs = (signer: Signer): boolean => signer !== 'caller' && signer !== 'external'

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
  /** The process that stores its intents: the treasury verifies their proofs with the key of this process, and no other. */
  madeBy: 'api' | 'worker'
  onChange: OnChange
  policy: IntentPolicy
}

/** The treasury's policy of a purpose. It reads only tables that it trusts, and asks no node. */
export interface IntentPolicy {
  /** @returns why it is not signed; null if it may be */
  check(tx: Tx, row: Intent): Promise<string | null>
  /** Works out the action by itself, where the purpose fixes it; any other one is refused. Null: it must not be sent at all. */
  action?(tx: Tx, row: Intent): Promise<Action | null>
}

export interface PurposesContext {
  purposes: readonly IntentPurpose[]
}

/** Null if this process does not know it: it is of a later version, or forged. */
export const purposeOf = ({ purposes }: PurposesContext, name: string): IntentPurpose | null => purposes.find((each) => each.name === name) ?? null

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
  /** The reason in words, if there are any. */
  message: string | null
  txId: string | null
  blockHeight: number | null
  /** Base units of the native coin. */
  fee: bigint | null
  gasUsed: bigint | null
  /** Counts reconciles, as a fence: a process that another one has overtaken must not write. */
  reconciles: number
  /** Times that the treasury signed it again because its attempts were unminable. */
  resigns: number
  /** How long nodes have reported without interruption that it is unminable; 0 if they do not. */
  unminableForMs: number
  /** How long it has waited for a lower fee; null if it does not. */
  feeWaitForMs: number | null
  /** Nothing can change any more. */
  settled: boolean
  /** Waits, neither signed nor sent, because its business is suspended. For display only: to sign, call `isHeld`. */
  held: boolean
  /** Not planned or signed before a second owner has approved it. */
  needsApproval: boolean
  approval: { decision: 'approved' | 'refused' | null; expiresAt: string; decidedAt: string | null } | null
  createdAt: Date
  updatedAt: Date
}

const columns = `id, business_id as "businessId", purpose, chain, signer, wallet_id as "walletId", from_address as "from", to_address as "to",
  symbol, contract, decimals, amount, memo, memo_type as "memoType", calls, cosigners, spends, receives, gas_price as "gasPrice", gas_limit as "gasLimit", status, reason, message,
  tx_id as "txId", block_height as "blockHeight", fee, gas_used as "gasUsed", reconciles, resigns,
  coalesce(extract(epoch from now() - unminable_since) * 1000, 0)::float8 as "unminableForMs", next_reconcile_at is null as settled, ${heldSql} as held,
   case when ${feeWaitSql} then (extract(epoch from now() - fee_waits_since) * 1000)::float8 end as "feeWaitForMs",
   needs_approval as "needsApproval",
   (select jsonb_build_object('decision', a.decision, 'expiresAt', a.expires_at, 'decidedAt', a.decided_at)
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
  /** Null for transfers, like the three below. */
  calls: StoredCall[] | null
  cosigners: string[] | null
  spends: StoredFlow[] | null
  receives: StoredFlow[] | null
}
type Row = Omit<Intent, 'action' | 'blockHeight' | 'fee' | 'gasUsed'> & ActionColumns & Record<'blockHeight' | 'fee' | 'gasUsed', string | null>

export const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

function fromRow(row: Row): Intent {
  const { from, to, contract, amount, memo, memoType, gasPrice, gasLimit, calls, cosigners, spends, receives, blockHeight, fee, gasUsed, ...rest } =
    row
  return {
    ...rest,
    blockHeight: blockHeight === null ? null : Number(blockHeight),
    fee: whole(fee),
    gasUsed: whole(gasUsed),
    action: readAction(row),
  }
}

function readAction({ from, gasPrice, gasLimit, ...row }: ActionColumns & Pick<Intent, 'symbol' | 'decimals'>): Action {
  const gas = { gasPrice: whole(gasPrice), gasLimit: whole(gasLimit) }
  if (row.calls !== null) {
    const flows = { spends: readFlows(row.spends ?? []), receives: readFlows(row.receives ?? []) }
    return { kind: 'calls', from, calls: readCalls(row.calls), cosigners: row.cosigners ?? [], ...flows, ...gas }
  }
  const { to, contract, amount, symbol, decimals, memo, memoType } = row
  if (to === null || amount === null || symbol === null || decimals === null) throw new Error('the intent is neither a transfer nor calls')
  const token = contract === null ? null : { contract, symbol, decimals }
  return {
    kind: 'transfer',
    from,
    to,
    token,
    amount: BigInt(amount),
    memo: memo === null || memoType === null ? null : { value: memo, type: memoType },
    ...gas,
  }
}

/** A transfer of a business. */
export type BusinessTransfer = Intent & { businessId: string; action: TransferSpec; symbol: string; decimals: number }

/** @throws Error for calls, and for intents of the platform */
export function businessTransfer(row: Intent): BusinessTransfer {
  if (row.businessId === null || row.action.kind !== 'transfer') throw new Error(`intent ${row.id} is not a transfer of a business`)
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
  askedBy?: AskedBy
  /** A second owner's approval is requested in the same transaction. */
  needsApproval?: boolean
}

/** A key or an account; neither if it is not known. */
export interface AskedBy {
  apiKeyId: string | null
  accountId: string | null
}

/**
 * Stores an intent. Its request may work on it for `reconcileInMs`, until a worker takes over.
 * @param prover of the process that makes intents of this purpose; null if the treasury does not sign it
 * @throws Error for a purpose that is not registered, a signer that it does not have, or an address that is not in normal form
 */
export async function insertIntent(ctx: PurposesContext, tx: Tx, wanted: NewIntent, reconcileInMs: number, prover: Prover | null): Promise<Intent> {
  const { action, id = newId() } = wanted
  if (!purposeOf(ctx, wanted.purpose)?.signers.includes(wanted.signer))
    throw new Error(`no purpose ${wanted.purpose} with signer ${wanted.signer} is registered`)
  if (action.kind === 'calls') requireSoundCalls(action)
  requireNormalAddresses(wanted.chain, action)
  const createdAt = new Date()
  const proof = prover?.prove(intentMessage({ ...wanted, id, createdAt })) ?? null
  const transfer = action.kind === 'transfer' ? action : null
  const calls = action.kind === 'calls' ? action : null
  const [row] = await tx.query<Row>(
    `insert into intents (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount,
       memo, memo_type, gas_price, gas_limit, calls, cosigners, spends, receives, api_key_id, account_id, needs_approval, status, next_reconcile_at,
       created_at, proof)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 'created',
       now() + $24 * interval '1 millisecond', $25, $26)
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
    ],
  )
  if (!row) throw new Error('the intent was not stored')
  return fromRow(row)
}
