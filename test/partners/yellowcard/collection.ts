import { decimalOf, jsonNumber } from './money.ts'

/**
 * Their states, as answers write them (docs/events-api). "Convert currency transactions follow the normal
 * events" (docs/direct-settlement), but docs/sandbox-testing-api has a "receive request
 * `settlement_complete`": those of docs/events-widget.
 */
export type CollectionStatus =
  | 'created'
  | 'pending_approval'
  | 'process'
  | 'processing'
  | 'pending'
  | 'complete'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'pending_refund'
  | 'refund_processing'
  | 'refund_failed'
  | 'refunded'
  | 'settlement_pending'
  | 'settlement_processing'
  | 'settlement_complete'
  | 'settlement_failed'

/** Where its crypto goes to. */
export interface Destination {
  walletAddress: string
  walletTag?: string
  cryptoCurrency: string
  cryptoNetwork: string
}

export interface Collection {
  id: string
  sequenceId: string
  status: CollectionStatus
  /** When it came into its state, by the stand-in's clock. */
  since: number
  createdAt: number
  updatedAt: number
  expiresAt: number
  forceAccept: boolean
  country: string
  /** Hundredths. */
  local: bigint
  usd: bigint
  feeUsd: bigint
  networkFeeUsd: bigint
  rate: bigint
  /** What its payer will do by itself. */
  payer: 'pays' | 'refuses' | 'waits'
  /** Null: it goes to the account's balance. */
  settlement:
    | (Destination & {
        amount: string
        txHash: string | null
        status: 'pending' | 'complete' | 'failed' | null
      })
    | null
  bank: { name: string; accountNumber: string; accountName: string } | null
  reference: string | null
  depositId: string | null
  refundRetry: number
  errorCode: string | null
  /** What its request had. */
  given: Readonly<Record<string, unknown>>
}

const time = (ms: number) => new Date(ms).toISOString()

/**
 * A collection as an answer shows it (reference/lookup-collection, docs/direct-settlement,
 * docs/list-collections-guide-api).
 */
export function shownCollection(
  collection: Collection,
  status: string = collection.status,
): Record<string, unknown> {
  const {
    id,
    sequenceId,
    given,
    country,
    local,
    usd,
    feeUsd,
    networkFeeUsd,
    rate,
    settlement,
    bank,
    reference,
    depositId,
  } = collection
  const inLocal = (hundredths: bigint) => jsonNumber(decimalOf((hundredths * rate) / 100n))
  return {
    partnerId: '9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01',
    id,
    sequenceId,
    channelId: given.channelId,
    currency: given.currency,
    country,
    amount: jsonNumber(decimalOf(usd)),
    convertedAmount: jsonNumber(decimalOf(local)),
    rate: jsonNumber(decimalOf(rate)),
    serviceFeeAmountUSD: jsonNumber(decimalOf(feeUsd)),
    serviceFeeAmountLocal: inLocal(feeUsd),
    partnerFeeAmountLocal: 0,
    partnerFeeAmountUSD: 0,
    recipient: given.recipient,
    source: given.source,
    forceAccept: collection.forceAccept,
    directSettlement: settlement !== null,
    requestSource: 'api',
    reason: given.reason,
    refundRetry: collection.refundRetry,
    status,
    ...(bank && { bankInfo: bank }),
    ...(reference !== null && { reference }),
    ...(depositId !== null && { depositId }),
    ...(settlement && {
      networkFeeAmountUSD: jsonNumber(decimalOf(networkFeeUsd)),
      networkFeeAmountLocal: inLocal(networkFeeUsd),
      settlementInfo: {
        walletAddress: settlement.walletAddress,
        ...(settlement.walletTag !== undefined && { walletTag: settlement.walletTag }),
        cryptoCurrency: settlement.cryptoCurrency,
        cryptoNetwork: settlement.cryptoNetwork,
        cryptoAmount: jsonNumber(settlement.amount),
        cryptoLocalRate: jsonNumber(decimalOf(rate)),
        cryptoUSDRate: 1,
        ...(settlement.txHash !== null && { txHash: settlement.txHash }),
      },
      ...(settlement.status !== null && { settlementStatus: settlement.status }),
    }),
    ...(collection.errorCode !== null && { errorCode: collection.errorCode }),
    ...(collection.status === 'refunded' && {
      refundSessionId: `0193${id.replace(/\D/g, '').padEnd(18, '0').slice(0, 18)}`,
    }),
    createdAt: time(collection.createdAt),
    updatedAt: time(collection.updatedAt),
    expiresAt: time(collection.expiresAt),
  }
}
