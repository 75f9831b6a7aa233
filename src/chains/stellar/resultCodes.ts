import { xdr } from '@stellar/stellar-sdk/base'
import { ProviderError } from '../chain.ts'
import { sound } from '../providers/sound.ts'

/** The result of a transaction. */
export interface TransactionResult {
  succeeded: boolean
  /** As in Stellar-transaction.x: `txBAD_SEQ`. */
  code: string
  /** Of the first failed operation, Horizon's code (`op_no_trust`); otherwise `code`. */
  reason: string
  /** Stroops that its source paid; null if a fee bump paid. */
  fee: bigint | null
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `txBadSeq` of the SDK is `txBAD_SEQ` of the network. */
const codeOf = (type: string): string => `tx${snake(type.slice(2)).slice(1).toUpperCase()}`

/** @throws ProviderError if the text is not a result */
export function readResult(resultXdr: string | undefined): TransactionResult {
  if (!resultXdr) throw new ProviderError('the transaction has no result')
  const { feeCharged, result } = sound(() => xdr.TransactionResult.fromXdr(resultXdr, 'base64'))
  const bumped = result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
  const own = bumped ? result.innerResultPair.result.result : result
  const code = codeOf(own.type)
  const operation = own.type === 'txFailed' ? own.results.find(isFailed) : undefined
  return {
    succeeded: own.type === 'txSuccess',
    code,
    reason: operation ? operationCode(operation) : code,
    fee: bumped ? null : feeCharged,
  }
}

/** Operations before and after a failed one may have succeeded, and have no effect. */
const isFailed = (result: xdr.OperationResult): boolean =>
  result.type !== 'opInner' || !result.tr.value.type.endsWith('Success')

/** The SDK's variants start with their operation (`paymentNoTrust`), Horizon's codes do not. */
function operationCode(result: xdr.OperationResult): string {
  if (result.type !== 'opInner') return snake(result.type)
  const { type, value } = result.tr
  const name = value.type
  if (name === 'createAccountAlreadyExist') return 'op_already_exists'
  return `op${snake(name.startsWith(type) ? name.slice(type.length) : name)}`
}
