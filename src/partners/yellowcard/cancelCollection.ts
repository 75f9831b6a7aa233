import type { PartnerCollection } from '../../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { collectionForm } from './collection.ts'
import { collectionPathsOf } from './names.ts'
import { post } from './request.ts'

/**
 * Cancels a collection, by https://docs.yellowcard.engineering/reference/cancel-collection: "while it's
 * pending or processing", and only in Nigeria (docs/cancellation-refunds-collection-requests). Money that
 * comes afterwards is refunded.
 * @throws PartnerError `refused` with `PaymentInvalidState`
 */
export async function cancelCollection(account: YellowCardAccount, id: string): Promise<PartnerCollection> {
  const collection = await post(account, collectionPathsOf(account).cancel(id), {}, collectionForm, {
    changes: true,
  })
  if (collection.id !== id)
    throw new PartnerError('outcome_unknown', 'Yellow Card answered a cancellation with another collection')
  return collection
}
