import type { Memo, MemoType } from '../chains/chain.ts'
import type { Expiry, SentTransaction, SignedTransaction, Terms, TransferSpec } from '../chains/sending.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { heldSql } from './hold.ts'
import { intentMessage, type Prover, requestMessage } from './proof.ts'

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

/** One signed transaction that may carry an intent, or the request for it. */
export interface Attempt {
  number: number
  /** Given up. If it was sent, the chain is still asked about it. */
  isVoid: boolean
  nonce: bigint | null
  terms: Terms
  /** Null until it is signed. */
  sent: SentTransaction | null
  /** Null before it is signed, and after every node refused it. */
  signed: SignedTransaction | null
  /** Counted before each send. */
  sends: number
  /** When the network first accepted it. */
  acceptedAt: Date | null
  /** The network said last that another transaction waits with its nonce. */
  nonceTaken: boolean
  /** When it was signed; before that, when it was requested. */
  createdAt: Date
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

const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

function fromRow(row: Row): Intent {
  const { from, to, contract, amount, memo, memoType, gasPrice, gasLimit, blockHeight, fee, gasUsed, ...rest } = row
  return {
    ...rest,
    blockHeight: blockHeight === null ? null : Number(blockHeight),
    fee: whole(fee),
    gasUsed: whole(gasUsed),
    transfer: {
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

/** Calls the hook of an intent's purpose if its status has changed, in the transaction of the change. */
export async function notifyChange(ctx: { onChange: Record<Purpose, OnChange> }, tx: Tx, id: string, before: IntentStatus): Promise<void> {
  const [row] = await readIntents(tx, 'id = $1', [id])
  if (row && row.status !== before) await ctx.onChange[row.purpose](tx, row, before)
}

/** Attempts that may still be sent. */
export const liveAttempts = (transactions: readonly Attempt[]): Attempt[] => transactions.filter((each) => !each.isVoid)

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

interface TransactionRow {
  number: number
  isVoid: boolean
  nonce: string | null
  terms: Terms
  txId: string | null
  bytes: Buffer | null
  expiresHeight: string | null
  expiresAt: Date | null
  sends: number
  acceptedAt: Date | null
  nonceTaken: boolean
  createdAt: Date
}

/** All attempts of an intent, by number. */
export async function readAttempts(db: Queryable, intentId: string): Promise<Attempt[]> {
  const rows = await db.query<TransactionRow>(
    `select number, nonce, terms, tx_id as "txId", bytes, expires_height as "expiresHeight", expires_at as "expiresAt", sends,
       accepted_at as "acceptedAt", nonce_taken as "nonceTaken", coalesce(signed_at, created_at) as "createdAt", void_at is not null as "isVoid"
     from intent_attempts where intent_id = $1 order by number`,
    [intentId],
  )
  return rows.map(({ txId, bytes, expiresHeight, expiresAt, ...row }) => {
    const nonce = whole(row.nonce)
    const expiry = expiryOf(expiresHeight, expiresAt)
    const sent = txId === null ? null : { txId, nonce, expiry }
    return { ...row, nonce, sent, signed: sent && bytes && { txId: sent.txId, bytes, expiry } }
  })
}

function expiryOf(height: string | null, at: Date | null): Expiry {
  if (height !== null) return { blockHeight: BigInt(height) }
  return at === null ? null : { time: at }
}

/** Stores a signed attempt. */
export async function insertAttempt(
  tx: Queryable,
  row: Pick<Intent, 'id' | 'chain'>,
  transaction: { nonce: bigint | null; terms: Terms; signed: SignedTransaction; sends: number },
): Promise<void> {
  const [inserted] = await tx.query<{ number: number }>(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends)
     values ($1, (select coalesce(max(number) + 1, 0) from intent_attempts where intent_id = $1), $2, $3, $4, $5) returning number`,
    [row.id, row.chain, transaction.nonce?.toString() ?? null, JSON.stringify(transaction.terms), transaction.sends],
  )
  if (inserted) await storeSigned(tx, row.id, inserted.number, transaction.signed)
}

/**
 * Stores a request for the treasury's signature; the caller has locked the intent. The proof includes the worker's word that the attempts that
 * were given up before are unminable.
 */
export async function insertRequest(
  tx: Queryable,
  row: Pick<Intent, 'id' | 'chain'>,
  wanted: { nonce: bigint | null; terms: Terms },
  prover: Prover,
): Promise<void> {
  const [next] = await tx.query<{ number: number; givenUp: string[] }>(
    `select coalesce(max(number) + 1, 0) as number,
       coalesce(array_agg(tx_id order by number) filter (where tx_id is not null and void_at is not null), '{}') as "givenUp"
     from intent_attempts where intent_id = $1`,
    [row.id],
  )
  const request = { intentId: row.id, chain: row.chain, number: next?.number ?? 0, givenUp: next?.givenUp ?? [], ...wanted }
  await tx.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends, given_up, proof) values ($1, $2, $3, $4, $5, 0, $6, $7)`,
    [
      request.intentId,
      request.number,
      request.chain,
      request.nonce?.toString() ?? null,
      JSON.stringify(request.terms),
      request.givenUp,
      prover.prove(requestMessage(request)),
    ],
  )
}

/**
 * Stores the signed bytes of a request, before any send.
 * @throws Error if it was given up: no process would send the bytes or ask the chain about them
 */
export async function storeSigned(tx: Queryable, intentId: string, number: number, signed: SignedTransaction): Promise<void> {
  const { expiry } = signed
  await takeFromRefused(tx, intentId, signed.txId)
  const stored = await tx.query(
    `update intent_attempts set tx_id = $3, bytes = $4, expires_height = $5, expires_at = $6, signed_at = now()
     where intent_id = $1 and number = $2 and void_at is null returning number`,
    [
      intentId,
      number,
      signed.txId,
      Buffer.from(signed.bytes),
      expiry !== null && 'blockHeight' in expiry ? expiry.blockHeight.toString() : null,
      expiry !== null && 'time' in expiry ? expiry.time : null,
    ],
  )
  if (stored.length === 0) throw new Error('an attempt that was given up must not be signed')
}

/**
 * Takes over identical bytes of an intent that the network refused: the same transfer, requested again, with the nonce that was freed. Only this
 * intent may report their outcome.
 */
async function takeFromRefused(tx: Queryable, intentId: string, txId: string): Promise<void> {
  await tx.query(
    `with taken as (
       delete from intent_attempts t using intent_attempts own
       where own.intent_id = $1 and t.chain = own.chain and t.tx_id = $2 and t.intent_id <> $1 and t.refused is not null and t.void_at is null
       returning t.intent_id)
     update intents set next_reconcile_at = null where id in (select intent_id from taken)`,
    [intentId, txId],
  )
}

/** Gives attempts up for good, with their bytes and, unless live attempts of the intent share it, their nonce. */
export async function voidAttempts(tx: Queryable, intentId: string, numbers: readonly number[], why: string): Promise<void> {
  await tx.query('update intent_attempts set void_at = now(), bytes = null, refused = $3 where intent_id = $1 and number = any($2::integer[])', [
    intentId,
    numbers,
    why.slice(0, 300),
  ])
  await tx.query(
    `delete from intent_nonces s where intent_id = $1 and not exists (
       select 1 from intent_attempts t where t.intent_id = $1 and t.nonce = s.nonce and t.void_at is null)`,
    [intentId],
  )
}
