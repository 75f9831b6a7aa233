import { decimalOf, jsonNumber } from './money.ts'

/** Their states, as answers write them (docs/events-api). */
export type Status =
  | 'created'
  | 'pending_approval'
  | 'process'
  | 'processing'
  | 'pending_liquidity'
  | 'pending'
  | 'complete'
  | 'failed'
  | 'expired'

export const isFinal = (status: Status): boolean =>
  status === 'complete' || status === 'failed' || status === 'expired'

export interface Payment {
  id: string
  sequenceId: string
  status: Status
  /** When it came into its state, by the stand-in's clock. */
  since: number
  createdAt: number
  updatedAt: number
  expiresAt: number
  forceAccept: boolean
  /** Hundredths. */
  local: bigint
  usd: bigint
  feeUsd: bigint
  rate: bigint
  /** How the bank will answer. */
  outcome: 'complete' | 'failed'
  errorCode: string | null
  /** What its request had. */
  given: Readonly<Record<string, unknown>>
}

export const costOf = ({ usd, feeUsd }: Payment): bigint => usd + feeUsd

const time = (ms: number) => new Date(ms).toISOString()

/** A payment as an answer shows it (reference/lookup-payment). */
export function shown(payment: Payment, status: string = payment.status): Record<string, unknown> {
  const {
    id,
    sequenceId,
    given,
    local,
    usd,
    feeUsd,
    rate,
    forceAccept,
    errorCode,
    createdAt,
    updatedAt,
    expiresAt,
  } = payment
  return {
    partnerId: '9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01',
    id,
    sequenceId,
    channelId: given.channelId,
    currency: given.currency,
    country: given.country,
    amount: jsonNumber(decimalOf(usd)),
    convertedAmount: jsonNumber(decimalOf(local)),
    rate: jsonNumber(decimalOf(rate)),
    serviceFeeAmountUSD: jsonNumber(decimalOf(feeUsd)),
    serviceFeeAmountLocal: jsonNumber(decimalOf((feeUsd * rate) / 100n)),
    reason: given.reason,
    sender: given.sender,
    destination: given.destination,
    forceAccept,
    directSettlement: false,
    requestSource: 'api',
    attempt: 1,
    status,
    ...(errorCode === null ? {} : { errorCode }),
    ...(payment.status === 'complete'
      ? { sessionId: `0192${id.replace(/\D/g, '').padEnd(18, '0').slice(0, 18)}` }
      : {}),
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
    expiresAt: time(expiresAt),
  }
}
