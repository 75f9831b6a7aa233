import { openText, sealText } from '../custody/sealText.ts'
import type { CollectionRequest } from '../partnerPayments/collectionPartner.ts'
import { Secret } from '../platform/secrets.ts'
import { payerContext } from './sealedColumns.ts'

/** The payer of a collection, as the partner gets them. It is sent there, and stored sealed. */
export type Payer = Pick<CollectionRequest, 'recipient' | 'source' | 'redirectUrl'>

interface PayerOwner {
  id: string
  businessId: string
}

/** Seals a payer with the application's key, together with the business. */
export const sealPayer = (appKey: Secret, { id, businessId }: PayerOwner, payer: Payer): Buffer =>
  sealText(appKey, payerContext(id), new Secret(JSON.stringify({ businessId, payer })))

/** @throws Error where no key of the application opens it, or it is of another business */
export function openPayer(appKey: Secret, { id, businessId }: PayerOwner, sealed: Uint8Array): Payer {
  const stored = JSON.parse(openText(appKey, payerContext(id), sealed).reveal()) as { businessId: string; payer: Payer }
  if (stored.businessId !== businessId) throw new Error(`the payer of collection ${id} was sealed for another business`)
  return stored.payer
}
