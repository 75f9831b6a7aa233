import type { SignedTransaction, Terms } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import { type Intent, lockIntent, type PurposesContext } from './intents.ts'
import { transition } from './transition.ts'

/** Stores a signed attempt. @param proof of the API, which has signed it */
export async function insertAttempt(
  ctx: PurposesContext,
  tx: Tx,
  row: Pick<Intent, 'id' | 'chain'>,
  transaction: { nonce: bigint | null; terms: Terms; signed: SignedTransaction; sends: number },
  proof: Buffer | null = null,
): Promise<void> {
  const [inserted] = await tx.query<{ number: number }>(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends, proof)
     values ($1, (select coalesce(max(number) + 1, 0) from intent_attempts where intent_id = $1), $2, $3, $4, $5, $6) returning number`,
    [
      row.id,
      row.chain,
      transaction.nonce?.toString() ?? null,
      JSON.stringify(transaction.terms),
      transaction.sends,
      proof,
    ],
  )
  if (inserted) await storeSigned(ctx, tx, row.id, inserted.number, transaction.signed)
}

/**
 * Stores the signed bytes of a request, before any send.
 * @throws Error if it was given up: no process would send the bytes or query the chain for them
 */
export async function storeSigned(
  ctx: PurposesContext,
  tx: Tx,
  intentId: string,
  number: number,
  signed: SignedTransaction,
): Promise<void> {
  const { expiry } = signed
  await takeFromRefused(ctx, tx, intentId, signed.txId)
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
 * Takes over identical bytes of an intent that the network refused, or that was cancelled: the same transfer,
 * requested again, with the nonce that was freed. Only this intent may report their outcome.
 */
async function takeFromRefused(ctx: PurposesContext, tx: Tx, intentId: string, txId: string): Promise<void> {
  const taken = await tx.query<{ id: string }>(
    `delete from intent_attempts t using intent_attempts own
     where own.intent_id = $1 and t.chain = own.chain and t.tx_id = $2 and t.intent_id <> $1 and t.refused is not null and t.void_at is null
     returning t.intent_id as id`,
    [intentId, txId],
  )
  // Given up before any send: no node has them, and their intent does not query them.
  await tx.query(
    `delete from intent_attempts t using intent_attempts own
     where own.intent_id = $1 and t.chain = own.chain and t.tx_id = $2 and t.intent_id <> $1 and t.void_at is not null and t.sends = 0`,
    [intentId, txId],
  )
  for (const { id } of taken) {
    const row = await lockIntent(tx, id)
    if (row) await transition(ctx, tx, row, { kind: 'taken over' })
  }
}
