import type { Memo, MemoType } from '../chains/chain.ts'
import type { Expiry, SentTransaction, SignedTransaction, Terms, TransferIntent } from '../chains/sending.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { heldSql } from './hold.ts'
import { intentMessage, type Prover, requestMessage } from './proof.ts'

/**
 * `created`: wanted, nothing is signed. `signed`: signed bytes are stored, and were perhaps sent. `broadcast`: the network took them.
 * `unknown`: nobody can say whether it has them. `confirmed`, `failed`: it is in a block that is deep enough, and did or did not do
 * what it should; or it was refused before anything was sent. `expired`: it can no longer come into a block.
 */
export type OutgoingStatus = 'created' | 'signed' | 'broadcast' | 'confirmed' | 'failed' | 'expired' | 'unknown'

/** Who signs: a key that came with the request and is gone, somebody outside, or the treasury with a stored wallet's key. */
export type Signer = 'caller' | 'external' | 'wallet'

/** What an outgoing row is for. Each has somebody who is told of its changes. */
export type Purpose = 'transfer'

/** Records what a change of an intent means to whoever wanted it, in the transaction of the change. */
export type OnChange = (tx: Tx, row: Outgoing, before: OutgoingStatus) => Promise<void>

/** An intent to send, and what became of it. */
export interface Outgoing {
  id: string
  businessId: string
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  intent: TransferIntent
  /** Of the token or the native coin. */
  symbol: string
  decimals: number
  status: OutgoingStatus
  /** Why it failed or expired, stable; null where it did not. */
  reason: string | null
  /** The same in words, where there are any. */
  message: string | null
  txId: string | null
  blockHeight: number | null
  /** Base units of the native coin. */
  fee: bigint | null
  gasUsed: bigint | null
  /** Counted up by each look: whoever began before another one did must not write what it found. */
  looks: number
  /** Times that the treasury has signed it anew because nothing that was signed before could come. */
  renewals: number
  /** For how long, in milliseconds, the chain has said without another word that nothing that was signed can come; 0 where it does not. */
  goneForMs: number
  /** Nothing about it can change any more. */
  settled: boolean
  /** It waits because its business is suspended: nothing of it is signed or sent. For what is shown; who signs asks `isHeld`. */
  held: boolean
  /** Nothing of it is planned or signed before a second member has approved it. */
  needsApproval: boolean
  approval: { decision: 'approved' | 'refused' | null; expiresAt: string; decidedAt: string | null } | null
  createdAt: Date
  updatedAt: Date
}

/** One transaction that may carry the intent. */
export interface OutgoingTransaction {
  number: number
  /** It was given up. What was sent is asked about all the same. */
  isVoid: boolean
  sequence: bigint | null
  terms: Terms
  /** Null until it is signed. */
  sent: SentTransaction | null
  /** What can be broadcast; null before it is signed, and after it was refused by all. */
  signed: SignedTransaction | null
  /** Times that it was sent, counted before each. */
  sends: number
  /** When the network first took it. */
  acceptedAt: Date | null
  /** Whether the network said last that something else waits with its sequence. */
  isOutbid: boolean
  /** When it was signed; before that, when it was wanted. */
  createdAt: Date
}

const columns = `id, business_id as "businessId", purpose, chain, signer, wallet_id as "walletId", from_address as "from", to_address as "to",
  symbol, contract, decimals, amount, memo, memo_type as "memoType", gas_price as "gasPrice", gas_limit as "gasLimit", status, reason, message,
  tx_id as "txId", block_height as "blockHeight", fee, gas_used as "gasUsed", looks, renewals,
  coalesce(extract(epoch from now() - gone_since) * 1000, 0)::float8 as "goneForMs", next_look_at is null as settled, ${heldSql} as held,
   needs_approval as "needsApproval",
   (select jsonb_build_object('decision', a.decision, 'expiresAt', a.expires_at, 'decidedAt', a.decided_at)
    from approvals a where outgoing.needs_approval and a.subject = outgoing.purpose and a.subject_id = outgoing.id) as approval,
   created_at as "createdAt", updated_at as "updatedAt"`

type Row = Omit<Outgoing, 'intent' | 'blockHeight' | 'fee' | 'gasUsed'> & {
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

function fromRow(row: Row): Outgoing {
  const { from, to, contract, amount, memo, memoType, gasPrice, gasLimit, blockHeight, fee, gasUsed, ...rest } = row
  return {
    ...rest,
    blockHeight: blockHeight === null ? null : Number(blockHeight),
    fee: whole(fee),
    gasUsed: whole(gasUsed),
    intent: {
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
 * Reads rows.
 * @param where SQL over the table `outgoing`, with `values` from $1 on
 */
export async function readOutgoing(db: Queryable, where: string, values: unknown[]): Promise<Outgoing[]> {
  return (await db.query<Row>(`select ${columns} from outgoing where ${where}`, values)).map(fromRow)
}

/** Takes a row for the rest of the transaction; null where there is none. */
export async function lockOutgoing(tx: Tx, id: string): Promise<Outgoing | null> {
  const [row] = await readOutgoing(tx, 'id = $1 for update', [id])
  return row ?? null
}

export interface NewOutgoing {
  id?: string
  businessId: string
  purpose: Purpose
  chain: string
  signer: Signer
  walletId: string | null
  intent: TransferIntent
  symbol: string
  decimals: number
  /** Who asked for it, where a stored wallet sends: limits of keys count by it. */
  askedBy?: AskedBy
  /** A second member's approval was asked for in this transaction. */
  needsApproval?: boolean
}

/** A key or an account; neither where it is not known. */
export interface AskedBy {
  apiKeyId: string | null
  accountId: string | null
}

/** Tells whoever wanted an intent that it has changed, in the transaction of the change. */
export async function tellChange(ctx: { onChange: Record<Purpose, OnChange> }, tx: Tx, id: string, before: OutgoingStatus): Promise<void> {
  const [row] = await readOutgoing(tx, 'id = $1', [id])
  if (row && row.status !== before) await ctx.onChange[row.purpose](tx, row, before)
}

/** Those that may still be sent. */
export const liveOf = (transactions: readonly OutgoingTransaction[]): OutgoingTransaction[] => transactions.filter((each) => !each.isVoid)

/**
 * Stores an intent. A worker looks at it after `lookInMs`: whoever stores it may go on with it until then.
 * @param prover signs one of a stored wallet, for the treasury; null where nothing is asked of the treasury
 */
export async function insertOutgoing(tx: Tx, wanted: NewOutgoing, lookInMs: number, prover: Prover | null): Promise<Outgoing> {
  const { intent, id = newId() } = wanted
  const createdAt = new Date()
  const proof = prover?.prove(intentMessage({ ...wanted, id, createdAt })) ?? null
  const memo: Memo | null = intent.memo
  const [row] = await tx.query<Row>(
    `insert into outgoing (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount,
       memo, memo_type, gas_price, gas_limit, api_key_id, account_id, needs_approval, status, next_look_at, created_at, proof)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 'created', now() + $20 * interval '1 millisecond', $21, $22)
     returning ${columns}`,
    [
      id,
      wanted.businessId,
      wanted.purpose,
      wanted.chain,
      wanted.signer,
      wanted.walletId,
      intent.from,
      intent.to,
      wanted.symbol,
      intent.token?.contract ?? null,
      wanted.decimals,
      intent.amount.toString(),
      memo?.value ?? null,
      memo?.type ?? null,
      intent.gasPrice?.toString() ?? null,
      intent.gasLimit?.toString() ?? null,
      wanted.askedBy?.apiKeyId ?? null,
      wanted.askedBy?.accountId ?? null,
      wanted.needsApproval ?? false,
      lookInMs,
      createdAt,
      proof,
    ],
  )
  if (!row) throw new Error('an outgoing row was not stored')
  return fromRow(row)
}

interface TransactionRow {
  number: number
  isVoid: boolean
  sequence: string | null
  terms: Terms
  txId: string | null
  bytes: Buffer | null
  expiresHeight: string | null
  expiresAt: Date | null
  sends: number
  acceptedAt: Date | null
  isOutbid: boolean
  createdAt: Date
}

/** All transactions of an intent, by number. */
export async function readTransactions(db: Queryable, outgoingId: string): Promise<OutgoingTransaction[]> {
  const rows = await db.query<TransactionRow>(
    `select number, sequence, terms, tx_id as "txId", bytes, expires_height as "expiresHeight", expires_at as "expiresAt", sends,
       accepted_at as "acceptedAt", is_outbid as "isOutbid", coalesce(signed_at, created_at) as "createdAt", void_at is not null as "isVoid"
     from outgoing_transactions where outgoing_id = $1 order by number`,
    [outgoingId],
  )
  return rows.map(({ txId, bytes, expiresHeight, expiresAt, ...row }) => {
    const sequence = whole(row.sequence)
    const expiry = expiryOf(expiresHeight, expiresAt)
    const sent = txId === null ? null : { txId, sequence, expiry }
    return { ...row, sequence, sent, signed: sent && bytes && { txId: sent.txId, bytes, expiry } }
  })
}

function expiryOf(height: string | null, at: Date | null): Expiry {
  if (height !== null) return { blockHeight: BigInt(height) }
  return at === null ? null : { time: at }
}

/** Stores a transaction of an intent that is signed already. */
export async function insertTransaction(
  tx: Queryable,
  row: Pick<Outgoing, 'id' | 'chain'>,
  transaction: { sequence: bigint | null; terms: Terms; signed: SignedTransaction; sends: number },
): Promise<void> {
  const [inserted] = await tx.query<{ number: number }>(
    `insert into outgoing_transactions (outgoing_id, number, chain, sequence, terms, sends)
     values ($1, (select coalesce(max(number) + 1, 0) from outgoing_transactions where outgoing_id = $1), $2, $3, $4, $5) returning number`,
    [row.id, row.chain, transaction.sequence?.toString() ?? null, JSON.stringify(transaction.terms), transaction.sends],
  )
  if (inserted) await storeSigned(tx, row.id, inserted.number, transaction.signed)
}

/**
 * Asks the treasury for a transaction of an intent, whose row the caller has locked. What was given up before can never come: that is the
 * worker's word, and stands in what it proves.
 */
export async function requestTransaction(
  tx: Queryable,
  row: Pick<Outgoing, 'id' | 'chain'>,
  wanted: { sequence: bigint | null; terms: Terms },
  prover: Prover,
): Promise<void> {
  const [next] = await tx.query<{ number: number; givenUp: string[] }>(
    `select coalesce(max(number) + 1, 0) as number,
       coalesce(array_agg(tx_id order by number) filter (where tx_id is not null and void_at is not null), '{}') as "givenUp"
     from outgoing_transactions where outgoing_id = $1`,
    [row.id],
  )
  const request = { outgoingId: row.id, chain: row.chain, number: next?.number ?? 0, givenUp: next?.givenUp ?? [], ...wanted }
  await tx.query(
    `insert into outgoing_transactions (outgoing_id, number, chain, sequence, terms, sends, given_up, proof) values ($1, $2, $3, $4, $5, 0, $6, $7)`,
    [
      request.outgoingId,
      request.number,
      request.chain,
      request.sequence?.toString() ?? null,
      JSON.stringify(request.terms),
      request.givenUp,
      prover.prove(requestMessage(request)),
    ],
  )
}

/**
 * Stores the signed bytes of a transaction that was wanted: before anybody is sent them.
 * @throws Error where it was given up: nobody would ever send them, or ask about them
 */
export async function storeSigned(tx: Queryable, outgoingId: string, number: number, signed: SignedTransaction): Promise<void> {
  const { expiry } = signed
  await takeFromRefused(tx, outgoingId, signed.txId)
  const stored = await tx.query(
    `update outgoing_transactions set tx_id = $3, bytes = $4, expires_height = $5, expires_at = $6, signed_at = now()
     where outgoing_id = $1 and number = $2 and void_at is null returning number`,
    [
      outgoingId,
      number,
      signed.txId,
      Buffer.from(signed.bytes),
      expiry !== null && 'blockHeight' in expiry ? expiry.blockHeight.toString() : null,
      expiry !== null && 'time' in expiry ? expiry.time : null,
    ],
  )
  if (stored.length === 0) throw new Error('what was given up is not signed')
}

/**
 * The same bytes as those of an intent that the network refused: the same transfer, wanted again, with the sequence that was free. They are
 * this intent's now; what becomes of them must not be told of both.
 */
async function takeFromRefused(tx: Queryable, outgoingId: string, txId: string): Promise<void> {
  await tx.query(
    `with taken as (
       delete from outgoing_transactions t using outgoing_transactions own
       where own.outgoing_id = $1 and t.chain = own.chain and t.tx_id = $2 and t.outgoing_id <> $1 and t.refused is not null and t.void_at is null
       returning t.outgoing_id)
     update outgoing set next_look_at = null where id in (select outgoing_id from taken)`,
    [outgoingId, txId],
  )
}

/** Gives transactions up for good, with their bytes and, unless others of the intent still have it, their sequence. */
export async function voidTransactions(tx: Queryable, outgoingId: string, numbers: readonly number[], why: string): Promise<void> {
  await tx.query(
    'update outgoing_transactions set void_at = now(), bytes = null, refused = $3 where outgoing_id = $1 and number = any($2::integer[])',
    [outgoingId, numbers, why.slice(0, 300)],
  )
  await tx.query(
    `delete from outgoing_sequences s where outgoing_id = $1 and not exists (
       select 1 from outgoing_transactions t where t.outgoing_id = $1 and t.sequence = s.sequence and t.void_at is null)`,
    [outgoingId],
  )
}
