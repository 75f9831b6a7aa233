import { z } from 'zod'
import type { PartnerCollection } from '../../partnerPayments/collectionPartner.ts'
import { amountOrNull, currency, id, keyword, orNull, time } from './fields.ts'

const text = (max: number) =>
  orNull(
    z
      .string()
      .max(max)
      .transform((given) => given || null),
  )

const bank = z.object({ name: z.string().min(1).max(200), accountNumber: text(100), accountName: text(200) })

const settlement = z.object({
  walletAddress: z.string().min(1).max(200),
  walletTag: text(200),
  cryptoCurrency: keyword,
  cryptoNetwork: keyword,
  cryptoAmount: amountOrNull,
  txHash: text(200),
})

/**
 * A collection, by https://docs.yellowcard.engineering/reference/lookup-collection,
 * docs/list-collections-guide-api and, with `settlementInfo`, docs/direct-settlement. Its `amount` is in US
 * dollars; `convertedAmount` is the amount in local currency, "either fixed or calculated"
 * (reference/submit-collection-request). The pages' examples leave out `sequenceId`, `bankInfo`, `reference`
 * and fees in some answers. `txHash` and
 * `settlementStatus` are on no page; public models of their answers have both.
 */
export const collectionForm = z
  .object({
    id,
    sequenceId: orNull(z.string().min(1).max(200)),
    status: keyword,
    currency,
    country: text(100),
    amount: amountOrNull,
    convertedAmount: amountOrNull,
    rate: amountOrNull,
    serviceFeeAmountUSD: amountOrNull,
    networkFeeAmountUSD: amountOrNull,
    reference: text(200),
    bankInfo: orNull(bank),
    settlementInfo: orNull(settlement),
    settlementStatus: text(100),
    errorCode: text(100),
    createdAt: time,
    updatedAt: time,
    expiresAt: orNull(time),
  })
  .transform(
    ({ settlementInfo, ...given }): PartnerCollection => ({
      id: given.id,
      sequenceId: given.sequenceId,
      status: given.status,
      createdAt: given.createdAt,
      updatedAt: given.updatedAt,
      expiresAt: given.expiresAt,
      currency: given.currency,
      country: given.country,
      localAmount: given.convertedAmount,
      convertedAmount: given.convertedAmount,
      amountUsd: given.amount,
      rate: given.rate,
      cryptoAmount: settlementInfo?.cryptoAmount ?? null,
      serviceFeeUsd: given.serviceFeeAmountUSD,
      networkFeeUsd: given.networkFeeAmountUSD,
      reference: given.reference,
      bank: given.bankInfo,
      settlement: settlementInfo && {
        address: settlementInfo.walletAddress,
        tag: settlementInfo.walletTag,
        currency: settlementInfo.cryptoCurrency,
        network: settlementInfo.cryptoNetwork,
        txHash: settlementInfo.txHash,
        status: given.settlementStatus,
      },
      errorCode: given.errorCode,
    }),
  )
