import { platformAccount } from '../../src/ledger/account.ts'
import { dollars } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import type { Db } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { type NewKey, storeVerificationKey } from '../../src/verification/createKey.ts'
import type { KeyKind } from '../../src/verification/model.ts'

/** Makes a key of the verification area. */
export const makeVerificationKey = (
  db: Db,
  businessId: string,
  kind: KeyKind = 'secret',
  environment: 'test' | 'live' = 'test',
  origins: string[] = [],
): Promise<NewKey> => db.tx((tx) => storeVerificationKey(tx, environment, businessId, null, { name: 'site', kind, origins }))

/** Gives a business prepaid credit, in millionths of a dollar. */
export async function addCredit(db: Db, businessId: string, amount: bigint): Promise<void> {
  const cause = { kind: 'adjustment', id: newId() } as const
  const postings = [
    { account: platformAccount('capital', dollars), amount },
    { account: { name: 'credit', businessId, asset: dollars } as const, amount: -amount },
  ]
  await db.tx((tx) => post(tx, [{ kind: 'adjustment', businessId, cause, step: 1, postings }]))
}

/** The operator's price of a decision or an assessment, in millionths of a dollar. */
export const setProductPrice = (db: Db, product: 'assessment' | 'decision', price: bigint) =>
  db.query(
    `insert into verification_prices (product, price) values ($1, $2)
     on conflict (product, country, id_type) do update set price = excluded.price, updated_at = now()`,
    [product, price.toString()],
  )

/** The operator's price of a check, in millionths of a dollar. */
export async function setPrice(db: Db, country: string, idType: string, price: bigint): Promise<void> {
  await db.query(
    `insert into verification_prices (country, id_type, price) values ($1, $2, $3)
     on conflict (product, country, id_type) do update set price = excluded.price, updated_at = now()`,
    [country, idType, price.toString()],
  )
}
