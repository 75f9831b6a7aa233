import { z } from 'zod'
import type { CollectionList, CollectionPage } from '../../partnerPayments/collectionPartner.ts'
import type { YellowCardAccount } from './account.ts'
import { collectionForm } from './collection.ts'
import { collectionPathsOf } from './names.ts'
import { get } from './request.ts'

const form = z.object({ collections: z.array(z.unknown()) })

/** The partner's clock may be ahead of our clock. */
const aheadMs = 24 * 3_600_000

/**
 * A page of collections by their last change, by
 * https://docs.yellowcard.engineering/reference/list-collections and docs/list-collections-guide-api: "Both
 * `startDate` and `endDate` have to be provided else the default is used".
 *
 * That page counts from one ("to get items on page 2, `startAt` will have to be 11"); other pages leave it
 * open. We send the number of collections before the page: where it counts from one, a collection may be on
 * two pages, and no collection is left out.
 */
export async function listCollections(
  account: YellowCardAccount,
  { startDate, endDate, page, perPage }: CollectionPage,
): Promise<CollectionList> {
  const startAt = (page - 1) * perPage
  const query = new URLSearchParams({
    ...(startDate && {
      startDate: startDate.toISOString(),
      endDate: (endDate ?? new Date(Date.now() + aheadMs)).toISOString(),
    }),
    rangeBy: 'updatedAt',
    sortBy: 'updatedAt',
    orderBy: 'asc',
    ...(startAt > 0 && { startAt: String(startAt) }),
    perPage: String(perPage),
  })
  const { collections: listed } = await get(account, collectionPathsOf(account).list, form, query.toString())
  const collections = listed.flatMap((each) => collectionForm.safeParse(each).data ?? [])
  return { collections, unreadable: listed.length - collections.length, isLast: listed.length < perPage }
}
