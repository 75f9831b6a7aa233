import { proofMessage } from '../custody/proof.ts'
import { formatUnits, parseDecimal } from '../money/amount.ts'
import type { Outflow, StoredPrice } from './outflow.ts'

/**
 * The part of an outflow that is proven to the treasury: what is taken, from which business, where it goes,
 * and whether a second owner has to approve it.
 */
export type ProvenOutflow = Pick<
  Outflow,
  | 'id'
  | 'kind'
  | 'businessId'
  | 'sessionId'
  | 'paymentId'
  | 'automatic'
  | 'needsApproval'
  | 'chain'
  | 'token'
  | 'amount'
  | 'destinationId'
  | 'wallet'
  | 'createdAt'
  | 'proofVersion'
  | Part
> & { bank: { partner: string; networkId: string; currency: string } | null }

type Part = 'fee' | 'margin' | 'rounding'

/**
 * A target that is a saved destination is proven by the destination itself, so that a worker can make payouts
 * to it and to no other. Since version 2 it has the price of a wallet too; a bank's may change, and has a
 * proof of its own.
 */
export function outflowMessage(outflow: ProvenOutflow): Buffer {
  const {
    id,
    kind,
    businessId,
    sessionId,
    paymentId,
    automatic,
    needsApproval,
    chain,
    token,
    amount,
    destinationId,
    wallet,
    bank,
    createdAt,
  } = outflow
  return proofMessage('outflow', [
    id,
    kind,
    businessId,
    sessionId,
    paymentId,
    String(automatic),
    String(needsApproval),
    chain,
    token,
    String(amount),
    destinationId,
    wallet?.chain ?? null,
    wallet?.token ?? null,
    wallet?.address ?? null,
    wallet?.memo?.type ?? null,
    wallet?.memo?.value ?? null,
    bank?.partner ?? null,
    bank?.networkId ?? null,
    bank?.currency ?? null,
    createdAt.toISOString(),
    ...(outflow.proofVersion === 1
      ? []
      : ['2', ...(wallet ? [String(wallet.amount), ...partsOf(outflow)] : [])]),
  ])
}

const partsOf = ({ fee, margin, rounding }: Pick<Outflow, Part>) => [fee, margin, rounding].map(String)

/**
 * The price of a bank payout with the parts that the platform keeps, as the process proves it that decided
 * it.
 */
export type ProvenPrice = Pick<Outflow, 'id' | Part> & {
  currency: string
  price: Pick<StoredPrice, 'localAmount' | 'localFee' | 'rate' | 'pricedAt'>
}

export function priceMessage({ id, currency, price, ...parts }: ProvenPrice): Buffer {
  const { localAmount, localFee, rate, pricedAt } = price
  return proofMessage('outflow price', [
    id,
    currency,
    String(localAmount),
    stored(localFee, 8),
    stored(rate, 12),
    pricedAt?.toISOString() ?? null,
    ...partsOf(parts),
  ])
}

/** A decimal as its column has it: rounded to so many places, without zeros at the end. */
function stored(text: string, places: number): string {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not a decimal: ${text}`)
  const { value, scale } = decimal
  if (scale <= places) return formatUnits(value, scale)
  const unit = 10n ** BigInt(scale - places)
  return formatUnits((value + unit / 2n) / unit, places)
}
