import { isDeepStrictEqual } from 'node:util'
import { openText, sealText } from '../custody/sealText.ts'
import type { CollectionRequest } from '../partnerPayments/collectionPartner.ts'
import { Secret } from '../platform/secrets.ts'
import type { Collection } from './collection.ts'
import { payerContext } from './sealedColumns.ts'

/** The payer of a collection, as the partner gets them. It is sent there, and stored sealed. */
export type Payer = Pick<CollectionRequest, 'recipient' | 'source' | 'redirectUrl'>

/** The request to the partner without the payer: for which collection, how much, to which wallet. */
export type Terms = Pick<
  Collection,
  | 'id'
  | 'businessId'
  | 'partner'
  | 'channelId'
  | 'localAmount'
  | 'currency'
  | 'country'
  | 'chain'
  | 'token'
  | 'address'
  | 'memo'
>

/** Seals a payer with the application's key, together with the terms: no part of its row can be exchanged. */
export const sealPayer = (appKey: Secret, terms: Terms, payer: Payer): Buffer =>
  sealText(appKey, payerContext(terms.id), new Secret(JSON.stringify({ terms: written(terms), payer })))

/**
 * The payer of a row.
 * @returns `changed` where the row's terms are not those that it was sealed with; `unsealed` where it was
 * sealed without them, so that they prove nothing
 * @throws Error where no key of the application opens it, or it is of another collection
 */
export function openPayer(appKey: Secret, row: Terms, sealed: Uint8Array): Payer | 'changed' | 'unsealed' {
  const stored = JSON.parse(openText(appKey, payerContext(row.id), sealed).reveal()) as {
    terms?: object
    payer: Payer
  }
  if (!stored.terms) return 'unsealed'
  return isDeepStrictEqual(stored.terms, written(row)) ? stored.payer : 'changed'
}

const written = ({
  businessId,
  partner,
  channelId,
  localAmount,
  currency,
  country,
  chain,
  token,
  address,
  memo,
}: Terms) => ({
  businessId,
  partner,
  channelId,
  localAmount: String(localAmount),
  currency,
  country,
  chain,
  token,
  address,
  memo,
})
