import { z } from 'zod'
import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import { amountOrNull, currency, id, keyword, orNull, time } from './fields.ts'

/**
 * A payment, by https://docs.yellowcard.engineering/reference/lookup-payment. Its `amount` is in US dollars;
 * `convertedAmount` is the amount in local currency, fixed or calculated (reference/submit-payment). The
 * pages' examples leave out `rate`, `sequenceId` or a fee in some answers.
 */
export const paymentForm = z
  .object({
    id,
    sequenceId: orNull(z.string().min(1).max(200)),
    status: keyword,
    currency,
    convertedAmount: amountOrNull,
    amount: amountOrNull,
    rate: amountOrNull,
    serviceFeeAmountLocal: amountOrNull,
    serviceFeeAmountUSD: amountOrNull,
    errorCode: orNull(keyword),
    sessionId: orNull(z.string().max(200)),
    updatedAt: time,
    expiresAt: orNull(time),
  })
  .transform(
    (given): PartnerPayment => ({
      id: given.id,
      sequenceId: given.sequenceId,
      status: given.status,
      currency: given.currency,
      localAmount: given.convertedAmount,
      amountUsd: given.amount,
      rate: given.rate,
      feeLocal: given.serviceFeeAmountLocal,
      feeUsd: given.serviceFeeAmountUSD,
      errorCode: given.errorCode,
      sessionId: given.sessionId,
      updatedAt: given.updatedAt,
      expiresAt: given.expiresAt,
    }),
  )
