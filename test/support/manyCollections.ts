import { newId } from '../../src/platform/ids.ts'
import type { Collection } from '../partners/yellowcard/collection.ts'
import type { OpenCollections } from './openCollections.ts'

const atOnce = 5000

/**
 * Collections as if each had been created: rows of the platform, and those of the partner, which it has
 * accepted.
 * @returns those of the partner
 */
export async function makeManyCollections(
  { db, standIn, create }: OpenCollections,
  businessId: string,
  n: number,
): Promise<Collection[]> {
  const { id } = (await create(businessId)).body
  const sample = standIn.collections.bySequence(id)
  if (!sample) throw new Error(`the partner has no ${id}`)
  const ids = Array.from({ length: n - 1 }, () => newId())
  const made = ids.map((sequenceId) => standIn.collections.add({ ...sample, sequenceId }))
  const columns = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'fiat_collections' and column_name not in ('id', 'partner_payment_id')`,
  )
  const names = columns.map(({ name }) => name)
  for (let i = 0; i < n - 1; i += atOnce)
    await db.query(
      `insert into fiat_collections (id, partner_payment_id, ${names}) select made.id, made.partner, ${names.map((name) => `c.${name}`)}
       from fiat_collections c, unnest($2::uuid[], $3::text[]) as made (id, partner) where c.id = $1`,
      [id, ids.slice(i, i + atOnce), made.slice(i, i + atOnce).map((each) => each.id)],
    )
  return [sample, ...made]
}
