import type { Terms } from '../../chains/sending.ts'
import { nativeSpentBy } from '../assignNonce.ts'
import type { SendingChain, TxManagerContext } from '../context.ts'
import { type Intent, readIntents } from '../intents.ts'

/** The sent attempt with the highest fee of each other intent that waits for a block at an address. */
const sentByOthers = `select distinct on (t.intent_id) t.intent_id as id, t.terms
  from intent_nonces s join intents o on o.id = s.intent_id
    join intent_attempts t on t.intent_id = s.intent_id and t.nonce = s.nonce and t.void_at is null and t.sends > 0 and t.bytes is not null
  where s.chain = $1 and s.address = $2 and s.nonce >= $3 and s.intent_id <> $4 and o.block_height is null
  order by t.intent_id, t.number desc`

/**
 * The maximum fee that the sender of a waiting intent can pay, in addition to its amount and what nodes hold
 * of the address's other transactions.
 * @param cancels for a no-op in its place, which moves nothing
 * @returns null if no node reports the balance
 */
export async function affordableFee(
  { db }: Pick<TxManagerContext, 'db'>,
  { sender, builder }: SendingChain,
  row: Intent,
  cancels: boolean,
): Promise<bigint | null> {
  const { from } = row.action
  const holdings = await sender.holdings?.(from, [])
  if (!holdings) return null
  const sent = await db.query<{ id: string; terms: Terms }>(sentByOthers, [
    row.chain,
    from,
    holdings.used.toString(),
    row.id,
  ])
  const others = await readIntents(db, 'id = any($1::uuid[])', [sent.map(({ id }) => id)])
  const amounts = [...(cancels ? [] : [row]), ...others].reduce(
    (sum, { action }) => sum + nativeSpentBy(from, action),
    0n,
  )
  return sent.reduce((left, { terms }) => left - builder.maxFee(terms), holdings.native - amounts)
}
