import { addressCodec } from '../chains/codecs.ts'
import type { Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { insertWatches } from '../watches/insertWatches.ts'
import type { CollectionWallet } from './readCollection.ts'

/**
 * The watched wallet of a business that collections are settled to: made by the first one. @returns its id
 */
export async function watchWallet(
  tx: Tx,
  businessId: string,
  { chain, address }: Pick<CollectionWallet, 'chain' | 'address'>,
): Promise<string> {
  const id = newId()
  const [made] = await tx.query<{ id: string }>(
    'insert into collection_wallets (id, business_id, chain, address) values ($1, $2, $3, $4) on conflict do nothing returning id',
    [id, businessId, chain.name, address],
  )
  if (made) {
    const watch = { family: chain.family, chain: chain.name, businessId, purpose: 'collection' } as const
    await insertWatches(tx, watch, [{ id, subjectId: id, bytes: addressCodec(chain.family).bytes(address) }])
    return id
  }
  const [known] = await tx.query<{ id: string }>(
    'select id from collection_wallets where business_id = $1 and chain = $2 and address = $3',
    [businessId, chain.name, address],
  )
  if (!known) throw new Error(`the wallet ${address} is gone`)
  return known.id
}
