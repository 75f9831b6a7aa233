import { shownForm } from '../src/chains/codecs.ts'
import { tokenDecimals } from '../src/chains/tokenDecimals.ts'
import { formatUnits } from '../src/money/amount.ts'
import type { OpenOutflow } from '../src/outflows/openOutflows.ts'
import type { Outflow } from '../src/outflows/outflow.ts'

export const amountOf = ({ chain, token, amount }: Outflow) =>
  `${formatUnits(amount, tokenDecimals(chain, token))} ${token} on ${chain}`

/** The account of a bank is sealed: its destination has it. */
export function placeOf({ wallet, bank, destinationId }: Outflow): string {
  if (wallet) return `${shownForm(wallet.address)} on ${wallet.chain}`
  return bank ? `${bank.partner} ${bank.currency} ${destinationId ?? ''}`.trimEnd() : ''
}

/** One line: id, created, business, amount, destination, and what is known. */
export function openLine({ outflow, intentStatus, txId }: OpenOutflow): string {
  const { id, createdAt, kind, businessId, status, intentId, partnerPaymentId, partnerStatus, submittedAt } =
    outflow
  const known = [
    ...(intentId === null
      ? []
      : [`intent ${intentId} ${intentStatus ?? ''} ${txId ?? 'without a transaction'}`]),
    ...(submittedAt === null ? [] : [`submitted ${submittedAt.toISOString()}`]),
    ...(partnerPaymentId === null ? [] : [`payment ${partnerPaymentId} ${partnerStatus ?? ''}`]),
  ]
  const who = businessId === null ? 'the platform' : `business ${businessId}`
  return [
    id,
    createdAt.toISOString(),
    kind,
    who,
    amountOf(outflow),
    placeOf(outflow),
    status,
    known.join(', ') || 'nothing is known',
  ].join('  ')
}
