import type { xdr } from '@stellar/stellar-sdk'
import { operationResults } from './decoded.ts'

/* Result codes as Horizon writes them: Stellar docs, Horizon, "Errors", "Result codes". */

const transactionCodes: Record<string, string> = {
  txNoAccount: 'tx_no_source_account',
  txBadMinSeqAgeOrGap: 'tx_bad_minseq_age_or_gap',
}

const operationCodes: Record<string, string> = {
  opNoAccount: 'op_no_source_account',
  createAccountAlreadyExist: 'op_already_exists',
  accountMergeSeqnumTooFar: 'op_seq_num_too_far',
  pathPaymentStrictReceiveOverSendmax: 'op_over_source_max',
  pathPaymentStrictReceiveOfferCrossSelf: 'op_cross_self',
  pathPaymentStrictSendUnderDestmin: 'op_under_dest_min',
  pathPaymentStrictSendOfferCrossSelf: 'op_cross_self',
  manageSellOfferNotFound: 'op_offer_not_found',
  manageBuyOfferNotFound: 'op_offer_not_found',
  manageDataNameNotFound: 'op_data_name_not_found',
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const transactionCode = (type: string): string => transactionCodes[type] ?? snake(type)

/** Variants have their operation's name as prefix (`paymentNoTrust`), codes do not (`op_no_trust`). */
function operationCode(result: xdr.OperationResult): string {
  if (result.type !== 'opInner') return operationCodes[result.type] ?? snake(result.type)
  const { type, value } = result.tr
  const name = value.type
  if (name.endsWith('Success')) return 'op_success'
  const rest = name.slice(commonStart(type, name))
  return operationCodes[name] ?? `op${snake(rest)}`
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** The `result_codes` of an error. */
export function resultCodes(result: xdr.TransactionResult): Record<string, unknown> {
  const { result: outer } = result
  const operations = operationResults(result).map(operationCode)
  const shown = operations.length > 0 ? { operations } : {}
  if (outer.type !== 'txFeeBumpInnerFailed' && outer.type !== 'txFeeBumpInnerSuccess')
    return { transaction: transactionCode(outer.type), ...shown }
  return {
    transaction: transactionCode(outer.type),
    inner_transaction: transactionCode(outer.innerResultPair.result.result.type),
    ...shown,
  }
}
