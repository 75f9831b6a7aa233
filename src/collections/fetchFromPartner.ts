import type { CollectionPartner, PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import type { Collection } from './collection.ts'

/**
 * One question for one collection: by the partner's id, or by ours where the partner has named none. Null: it
 * says that it does not have it.
 */
export const fetchFromPartner = (
  partner: Pick<CollectionPartner, 'get' | 'find'>,
  { id, partnerPaymentId }: Pick<Collection, 'id' | 'partnerPaymentId'>,
): Promise<PartnerCollection | null> =>
  partnerPaymentId === null ? partner.find(id) : partner.get(partnerPaymentId)
