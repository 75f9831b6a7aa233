import type { TransferSpec } from '../chains/action.ts'
import type { Memo, MemoType } from '../chains/chain.ts'
import type { Prover } from '../custody/proof.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { heldSql } from './hold.ts'
import { intentMessage } from './proof.ts'

/**
 * `created`: nothing is signed. `signed`: signed bytes are stored, perhaps sent. `broadcast`: the network accepted them. `unknown`: no node can
 * say whether it has them. `confirmed`: succeeded in a block that is deep enough. `failed`: failed in such a block, or before anything was sent.
 * `expired`: unminable.
 */
export type IntentStatus = 'created' | 'signed' | 'broadcast' | 'confirmed' | 'failed' | 'expired' | 'unknown'

/** `caller`: a key in the request, which is not stored. `external`: the customer's own wallet. `wallet`: the treasury, with a stored wallet. */
export type Signer = 'caller' | 'external' | 'wallet'

/** Each purpose has a hook that hears of changes. */
export type Purpose = 'transfer'

/** Publishes a change of an intent, in the transaction of the change. */
export type OnChange = (tx: Tx, row: Intent, before: IntentStatus) => Promise<void>

/** Something to send, with its state from request to settled. */
export interface Intent {
  id: string
  businessId: string
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  transfer: TransferSpec
  /** Of the token or the native coin. */
  symbol: string
  decimals: number
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
  symbol, contract, decimals, amount, memo, memo_type as "memoType", gas_price as "gasPrice", gas_limit as "gasLimit", status, reason, message,
  tx_id as "txId", block_height as "blockHeight", fee, gas_used as "gasUsed", reconciles, resigns,
  coalesce(extract(epoch from now() - unminable_since) * 1000, 0)::float8 as "unminableForMs", next_reconcile_at is null as settled, ${heldSql} as held,
   needs_approval as "needsApproval",
   (select jsonb_build_object('decision', a.decision, 'expiresAt', a.expires_at, 'decidedAt', a.decided_at)
    from approvals a where intents.needs_approval and a.subject = intents.purpose and a.subject_id = intents.id) as approval,
   created_at as "createdAt", updated_at as "updatedAt"`

type Row = Omit<Intent, 'transfer' | 'blockHeight' | 'fee' | 'gasUsed'> & {
  from: string
  to: string
  contract: string | null
  amount: string
  memo: string | null
  memoType: MemoType | null
  gasPrice: string | null
  gasLimit: string | null
  blockHeight: string | null
  fee: string | null
  gasUsed: string | null
}

export const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

function fromRow(row: Row): Intent {
  const { from, to, contract, amount, memo, memoType, gasPrice, gasLimit, blockHeight, fee, gasUsed, ...rest } = row
  return {
    ...rest,
    blockHeight: blockHeight === null ? null : Number(blockHeight),
    fee: whole(fee),
    gasUsed: whole(gasUsed),
    transfer: {
      kind: 'transfer',
      from,
      to,
      token: contract === null ? null : { contract, symbol: row.symbol, decimals: row.decimals },
      amount: BigInt(amount),
      memo: memo === null || memoType === null ? null : { value: memo, type: memoType },
      gasPrice: whole(gasPrice),
      gasLimit: whole(gasLimit),
    },
  }
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
  businessId: string
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  transfer: TransferSpec
  symbol: string
  decimals: number
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
 * @param prover of the API, for an intent of a stored wallet; null if the treasury does not sign it
 */
export async function insertIntent(tx: Tx, wanted: NewIntent, reconcileInMs: number, prover: Prover | null): Promise<Intent> {
  const { transfer, id = newId() } = wanted
  const createdAt = new Date()
  const proof = prover?.prove(intentMessage({ ...wanted, id, createdAt })) ?? null
  const memo: Memo | null = transfer.memo
  const [row] = await tx.query<Row>(
    `insert into intents (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount,
       memo, memo_type, gas_price, gas_limit, api_key_id, account_id, needs_approval, status, next_reconcile_at, created_at, proof)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 'created', now() + $20 * interval '1 millisecond', $21, $22)
     returning ${columns}`,
    [
      id,
      wanted.businessId,
      wanted.purpose,
      wanted.chain,
      wanted.signer,
      wanted.walletId,
      transfer.from,
      transfer.to,
      wanted.symbol,
      transfer.token?.contract ?? null,
      wanted.decimals,
      transfer.amount.toString(),
      memo?.value ?? null,
      memo?.type ?? null,
      transfer.gasPrice?.toString() ?? null,
      transfer.gasLimit?.toString() ?? null,
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
