import type { PlatformKeys } from '../custody/platformAddresses.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'

/**
 * Event accounts of burns on Solana. Their keys are derived from the seed, which only the treasury has: it
 * makes addresses ahead, and the api takes one for each burn. After a restore, free ones may have been taken:
 * only those of this database count.
 */
const freeSql = 'taken_at is null and identity = present_identity()'

/** More than are taken while the treasury makes other ones. */
export const eventAccountsReady = 100

/** Makes event accounts until so many are free. Treasury only: it needs the seed. */
export async function fillEventAccounts(
  db: Queryable,
  keys: Pick<PlatformKeys, 'eventAccount'>,
  target = eventAccountsReady,
): Promise<void> {
  const [row] = await db.query<{ free: number }>(
    `select count(*)::int as free from bridge_event_accounts where ${freeSql}`,
  )
  const made = Array.from({ length: Math.max(target - (row?.free ?? 0), 0) }, () => {
    const id = newId()
    return { id, address: keys.eventAccount(id).address }
  })
  if (made.length === 0) return
  await db.query(
    'insert into bridge_event_accounts (id, address) select * from unnest($1::uuid[], $2::text[])',
    [made.map(({ id }) => id), made.map(({ address }) => address)],
  )
}

/** A free one to plan with: another burn may take it. @throws ApiError 503 `no_event_account` */
export async function peekEventAccount(db: Queryable): Promise<string> {
  const [row] = await db.query<{ address: string }>(
    `select address from bridge_event_accounts where ${freeSql} limit 1`,
  )
  return row?.address ?? missing()
}

/**
 * Takes a free one permanently, within the transaction of the caller. @throws ApiError 503 `no_event_account`
 */
export async function takeEventAccount(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ address: string }>(
    `update bridge_event_accounts set taken_at = now()
     where id = (select id from bridge_event_accounts where ${freeSql} limit 1 for update skip locked) returning address`,
  )
  return row?.address ?? missing()
}

function missing(): never {
  throw new ApiError(
    503,
    'no_event_account',
    'No account for the burn is ready on solana; new ones are being made',
    { retryAfterSeconds: 2 },
  )
}

/** Which id the row of an address names. Only the seed can confirm it. */
export async function eventAccountId(db: Queryable, address: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>('select id from bridge_event_accounts where address = $1', [
    address,
  ])
  return row?.id ?? null
}
