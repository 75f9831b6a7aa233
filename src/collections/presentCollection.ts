import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import type { Collection } from './collection.ts'

/** A collection as the API and its events show it. It has nothing of the payer. */
export type CollectionView = ReturnType<typeof presentCollection>
/** The same in a list. */
export type CollectionItem = ReturnType<typeof presentItem>

export function presentItem(collection: Collection) {
  const {
    id,
    businessId,
    status,
    reason,
    currency,
    country,
    bankName,
    bankAccountNumber,
    bankAccountName,
    rate,
    settlement,
    txId,
  } = collection
  return {
    id,
    businessId,
    status,
    reason,
    amount: String(collection.localAmount),
    currency,
    country,
    walletAddress: addressCodec(registeredChain(collection.chain).family).display(collection.address),
    cryptoCurrency: collection.token,
    cryptoNetwork: collection.chain,
    cryptoAmount: collection.cryptoAmount,
    bankName,
    bankAccountNumber,
    bankAccountName,
    rate,
    settlement,
    txId,
    reference: collection.reference,
    metadata: collection.metadata,
    expiresAt: collection.expiresAt?.toISOString() ?? null,
    createdAt: collection.createdAt.toISOString(),
    updatedAt: collection.updatedAt.toISOString(),
  }
}

export const presentCollection = (collection: Collection) => ({
  ...presentItem(collection),
  partnerPaymentId: collection.partnerPaymentId,
  partnerPaymentStatus: collection.partnerStatus,
  partnerReference: collection.partnerReference,
  networkFeeUsd: collection.networkFeeUsd,
  serviceFeeUsd: collection.serviceFeeUsd,
  convertedAmount: collection.convertedAmount,
})
