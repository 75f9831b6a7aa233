import type { Db, Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { type Envelope, envelopeColumns, openEnvelope, sealEnvelope } from './envelope.ts'
import type { KeyProvider } from './keyProvider.ts'
import { seedContext } from './seed.ts'
import { walletKeyContext } from './walletKeys.ts'

interface Row extends Envelope {
  table: 'seeds' | 'wallet_keys'
  id: string
}

export interface RolledSeedKey {
  rolled: number
  /** Rows that no configured key opens, with the reason: they stay as they are. */
  unopened: { table: string; id: string; reason: string }[]
}

/** The rows that are not wrapped with the provider's current key. */
export async function wrappedBefore({
  db,
  keyProvider,
}: {
  db: Queryable
  keyProvider: KeyProvider
}): Promise<Row[]> {
  const { provider, wrappingKey } = keyProvider.current
  return db.query<Row>(
    `select * from (
       select 'seeds' as table, id, ${envelopeColumns} from seeds
       union all select 'wallet_keys', id, ${envelopeColumns} from wallet_keys) sealed
     where (provider, "wrappingKey") is distinct from ($1, $2) order by 1, 2`,
    [provider, wrappingKey],
  )
}

/**
 * Seals the seed and the private keys of `wallet_keys` again, each under a new data key that the provider's
 * current key wraps: an old copy of a row and the old key together no longer open the present one. The
 * treasury may run meanwhile. Safe to repeat after an interruption.
 */
export async function rollSeedKey(ctx: { db: Db; keyProvider: KeyProvider }): Promise<RolledSeedKey> {
  let rolled = 0
  for (;;) {
    const unopened: RolledSeedKey['unopened'] = []
    let changed = 0
    for (const row of await wrappedBefore(ctx)) {
      const reason = await rollRow(ctx, row).then(
        () => null,
        (error: unknown) => messageOf(error),
      )
      if (reason === null) changed++
      else unopened.push({ table: row.table, id: row.id, reason })
    }
    rolled += changed
    if (changed === 0) return { rolled, unopened }
  }
}

async function rollRow({ db, keyProvider }: { db: Db; keyProvider: KeyProvider }, row: Row): Promise<void> {
  const context = row.table === 'seeds' ? seedContext : walletKeyContext(row.id)
  const plain = await openEnvelope(keyProvider, row, context)
  const sealed = await sealEnvelope(keyProvider, plain, context)
  // The old envelope is overwritten: verify that the new one opens, and to the same bytes.
  const opened = await openEnvelope(keyProvider, sealed, context)
  if (!Buffer.from(opened.reveal()).equals(Buffer.from(plain.reveal())))
    throw new Error('what was sealed does not open to the same bytes')
  // A row that changed since it was read was rolled by another run, or deleted.
  await db.query(
    `update ${row.table} set provider = $3, wrapping_key = $4, wrapped_key = $5, sealed = $6 where id = $1 and wrapped_key = $2`,
    [row.id, row.wrappedKey, sealed.provider, sealed.wrappingKey, sealed.wrappedKey, sealed.sealed],
  )
  failpoint('custody.seed-key-rolled')
}
