import type { CollectionPartner, PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import type { Collection } from './collection.ts'

/**
 * Reads one collection from the partner: by the partner's id, or by our id while its own is unknown.
 * Null: the partner does not have it.
 */
export const fetchFromPartner = (
  partner: Pick<CollectionPartner, 'get' | 'find'>,
  { id, partnerPaymentId }: Pick<Collection, 'id' | 'partnerPaymentId'>,
): Promise<PartnerCollection | null> =>
  partnerPaymentId === null ? partner.find(id) : partner.get(partnerPaymentId)
