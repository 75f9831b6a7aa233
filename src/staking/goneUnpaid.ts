import type { Queryable } from '../platform/database/db.ts'
import { readAttempts } from '../txmgr/attempts.ts'
import { readIntents } from '../txmgr/intents.ts'
import type { StakingContext } from './context.ts'

/** A payment that can never be mined, with all of its signed transactions. */
export interface GoneUnpaid {
  intentId: string
  txIds: string[]
}

/**
 * Reads from the chain a payment that its row reports as failed: no row alone makes it paid again. Null
 * unless all of its transactions are final: one has failed in a block, they have expired, or another
 * transaction of the platform has used their nonce. Where the network has none of them, nonces without a
 * transaction are filled, so that it can be paid again later.
 * @throws ProviderError
 */
export async function goneUnpaid(
  ctx: Pick<StakingContext, 'db' | 'sender' | 'fillNonce'>,
  intentId: string,
): Promise<GoneUnpaid | null> {
  const [intent] = await readIntents(
    ctx.db,
    "id = $1 and business_id is null and purpose = 'stake-withdrawal'",
    [intentId],
  )
  const sent = (await readAttempts(ctx.db, intentId)).flatMap((each) => (each.sent ? [each.sent] : []))
  if (!intent || sent.length === 0) return null
  const { from } = intent.action
  const outcome = await (await ctx.sender(intent.chain)).outcome(from, sent)
  const gone = { intentId, txIds: sent.map(({ txId }) => txId) }
  const nonces = [...new Set(sent.flatMap(({ nonce }) => (nonce === null ? [] : [nonce])))]
  if (outcome.status === 'absent') for (const nonce of nonces) await ctx.fillNonce(intent, nonce)
  if (outcome.status === 'included' && outcome.succeeded) await reconcileAgain(ctx.db, intentId)
  if (outcome.status === 'absent' || outcome.standing !== 'final') return null
  if (outcome.status === 'included') return outcome.succeeded ? null : gone
  if (outcome.reason === 'expired') return gone
  return (await areUsedByOthers(ctx.db, intent.chain, from, intentId, nonces)) ? gone : null
}

/**
 * It has paid after all, such as one that every node refused at first: the transaction manager stores and
 * books that.
 */
const reconcileAgain = (db: Queryable, intentId: string) =>
  db.query(
    "update intents set next_reconcile_at = now() where id = $1 and next_reconcile_at is null and status in ('failed', 'expired')",
    [intentId],
  )

/**
 * Confirmed intents of the platform hold the nonces: an unknown transaction there may be the same payment at
 * a higher fee.
 */
async function areUsedByOthers(
  db: Queryable,
  chain: string,
  from: string,
  intentId: string,
  nonces: readonly bigint[],
): Promise<boolean> {
  const wanted = nonces.map(String)
  const [row] = await db.query<{ count: number }>(
    `select count(distinct a.nonce)::int as count from intent_attempts a join intents i on i.id = a.intent_id and i.tx_id = a.tx_id
     where i.business_id is null and i.chain = $1 and i.from_address = $2 and i.id <> $3 and a.nonce = any($4::numeric[]) and i.block_height is not null`,
    [chain, from, intentId, wanted],
  )
  return wanted.length > 0 && row?.count === wanted.length
}
