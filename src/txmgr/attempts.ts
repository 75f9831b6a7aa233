import type { Expiry, SentTransaction, SignedTransaction, Terms } from '../chains/sending.ts'
import type { Prover } from '../custody/proof.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type Intent, whole } from './intents.ts'
import { requestMessage } from './proof.ts'

/** One signed transaction that may carry an intent, or the request for it. */
export interface Attempt {
  number: number
  /** Given up. If it was sent, the chain is still queried for it. */
  isVoid: boolean
  nonce: bigint | null
  terms: Terms
  /** Null until it is signed. */
  sent: SentTransaction | null
  /** Null before it is signed, and after every node refused it. */
  signed: SignedTransaction | null
  /** Counted before each send. */
  sends: number
  /** Sends that every node refused. */
  refusals: number
  /** When the network first accepted it. */
  acceptedAt: Date | null
  /** The network reported last that another transaction waits with its nonce. */
  nonceTaken: boolean
  /** EVM: moves nothing, and uses up the nonce of a cancelled intent. */
  cancels: boolean
  /** When it was signed; before that, when it was requested. */
  createdAt: Date
}

interface AttemptRow {
  number: number
  isVoid: boolean
  nonce: string | null
  terms: Terms
  txId: string | null
  bytes: Buffer | null
  expiresHeight: string | null
  expiresAt: Date | null
  sends: number
  refusals: number
  acceptedAt: Date | null
  nonceTaken: boolean
  cancels: boolean
  createdAt: Date
}

/** All attempts of an intent, by number. */
export async function readAttempts(db: Queryable, intentId: string): Promise<Attempt[]> {
  const rows = await db.query<AttemptRow>(
    `select number, nonce, terms, tx_id as "txId", bytes, expires_height as "expiresHeight", expires_at as "expiresAt", sends, refusals,
       accepted_at as "acceptedAt", nonce_taken as "nonceTaken", cancels, coalesce(signed_at, created_at) as "createdAt", void_at is not null as "isVoid"
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

/**
 * Checks if every node refused each send of an attempt: no node has its bytes. An answer that is missing
 * counts as a doubt.
 */
export const isRefusedAlways = ({ sends, refusals, acceptedAt }: Attempt): boolean =>
  sends > 0 && refusals === sends && acceptedAt === null

/** Attempts that may still be sent. */
export const liveAttempts = (transactions: readonly Attempt[]): Attempt[] =>
  transactions.filter((each) => !each.isVoid)

/**
 * Stores a request for the treasury's signature; the caller has locked the intent. The proof includes the
 * worker's report that the attempts that were given up before are unminable.
 */
export async function insertRequest(
  tx: Queryable,
  row: Pick<Intent, 'id' | 'chain'>,
  wanted: { nonce: bigint | null; terms: Terms; cancels?: boolean },
  prover: Prover,
): Promise<void> {
  const [next] = await tx.query<{ number: number; givenUp: string[] }>(
    `select coalesce(max(number) + 1, 0) as number,
       coalesce(array_agg(tx_id order by number) filter (where tx_id is not null and void_at is not null), '{}') as "givenUp"
     from intent_attempts where intent_id = $1`,
    [row.id],
  )
  const request = {
    intentId: row.id,
    chain: row.chain,
    number: next?.number ?? 0,
    givenUp: next?.givenUp ?? [],
    ...wanted,
  }
  await tx.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends, given_up, proof, cancels) values ($1, $2, $3, $4, $5, 0, $6, $7, $8)`,
    [
      request.intentId,
      request.number,
      request.chain,
      request.nonce?.toString() ?? null,
      JSON.stringify(request.terms),
      request.givenUp,
      prover.prove(requestMessage(request)),
      request.cancels ?? false,
    ],
  )
}

/**
 * Gives attempts up for good, with their bytes and, unless live attempts of the intent share it, their nonce.
 */
export async function voidAttempts(
  tx: Queryable,
  intentId: string,
  numbers: readonly number[],
  why: string,
): Promise<void> {
  await tx.query(
    'update intent_attempts set void_at = now(), bytes = null, refused = $3 where intent_id = $1 and number = any($2::integer[])',
    [intentId, numbers, why.slice(0, 300)],
  )
  await tx.query(
    `delete from intent_nonces s where intent_id = $1 and not exists (
       select 1 from intent_attempts t where t.intent_id = $1 and t.nonce = s.nonce and t.void_at is null)`,
    [intentId],
  )
}
