import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'

/** A stored wallet that sends. */
interface Sender {
  walletId: string
  businessId: string
  chain: string
}

/**
 * Notes that a wallet sends: its balance is checked soon, and from then on at intervals. Writes at most once
 * an hour, so that transfers requested at once do not wait for each other.
 */
export async function noteSender(tx: Queryable, { walletId, businessId, chain }: Sender): Promise<void> {
  await tx.query(
    `insert into wallet_balances (wallet_id, business_id, chain, sent_at, check_at) select $1, $2, $3, now(), now()
     where not exists (select 1 from wallet_balances
       where wallet_id = $1 and business_id = $2 and sent_at > now() - interval '1 hour' and check_at is not null)
     on conflict (wallet_id) do update set sent_at = now(), check_at = now()`,
    [walletId, businessId, chain],
  )
}

/**
 * Has the balance of a wallet checked at once: a transfer from it has settled. Goes along with the next
 * statement.
 */
export function checkSoon(tx: Pick<Tx, 'send'>, { walletId, businessId, chain }: Sender): void {
  tx.send(checkSql, [walletId, businessId, chain])
}

const checkSql = prepared(
  `insert into wallet_balances (wallet_id, business_id, chain, sent_at, check_at) values ($1, $2, $3, now(), now())
   on conflict (wallet_id) do update set check_at = now()`,
)
