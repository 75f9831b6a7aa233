import type { PartnerCollection } from '../../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { collectionForm } from './collection.ts'
import { collectionPathsOf } from './names.ts'
import { get } from './request.ts'

/**
 * A collection by the partner's id, by https://docs.yellowcard.engineering/reference/lookup-collection.
 * @returns null if there is no such collection
 */
export const getCollection = (account: YellowCardAccount, id: string): Promise<PartnerCollection | null> =>
  find(account, collectionPathsOf(account).one(id), (collection) => collection.id === id)

/**
 * A collection by our own id, by https://docs.yellowcard.engineering/reference/lookup-collection-by-sequenceid.
 * @returns null if there is no such collection
 */
export const findCollection = (
  account: YellowCardAccount,
  sequenceId: string,
): Promise<PartnerCollection | null> =>
  find(
    account,
    collectionPathsOf(account).ofSequence(sequenceId),
    (collection) => collection.sequenceId === sequenceId,
  )

async function find(
  account: YellowCardAccount,
  path: string,
  isAsked: (collection: PartnerCollection) => boolean,
): Promise<PartnerCollection | null> {
  const collection = await get(account, path, collectionForm).catch((error: unknown) => {
    // Only this code means that. Any other 404 may be a path that is not served, and "not there" would be
    // submitted a second time.
    if (error instanceof PartnerError && error.partnerCode === 'CollectionNotFoundError') return null
    throw error
  })
  if (collection !== null && !isAsked(collection))
    throw new PartnerError(
      'invalid_answer',
      'Yellow Card answered with another collection than the one requested',
    )
  return collection
}
