import { xdr } from '@stellar/stellar-sdk/base'
import { ProviderError } from '../chain.ts'
import { sound } from '../providers/sound.ts'

/** What a transaction with one operation came to. */
export interface TransactionResult {
  succeeded: boolean
  /** As Stellar-transaction.x has it: `txBAD_SEQ`. */
  code: string
  /** Why, in words: of a failed operation as Horizon writes it (`op_no_trust`), else `code`. */
  reason: string
  /** Stroops that its source paid; null where somebody else paid, by a fee bump around it. */
  fee: bigint | null
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `txBadSeq` of the library is `txBAD_SEQ` of the network. */
const codeOf = (type: string): string => `tx${snake(type.slice(2)).slice(1).toUpperCase()}`

/** @throws ProviderError where it is none */
export function readResult(resultXdr: string | undefined): TransactionResult {
  if (!resultXdr) throw new ProviderError('a transaction without its result')
  const { feeCharged, result } = sound(() => xdr.TransactionResult.fromXdr(resultXdr, 'base64'))
  const bumped = result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
  const own = bumped ? result.innerResultPair.result.result : result
  const code = codeOf(own.type)
  const [operation] = own.type === 'txFailed' ? own.results : []
  return {
    succeeded: own.type === 'txSuccess',
    code,
    reason: operation ? operationCode(operation) : code,
    fee: bumped ? null : feeCharged,
  }
}

/** The variants are called after their operation (`paymentNoTrust`), Horizon's codes are not. */
function operationCode(result: xdr.OperationResult): string {
  if (result.type !== 'opInner') return snake(result.type)
  const { type, value } = result.tr
  const name = value.type
  if (name === 'createAccountAlreadyExist') return 'op_already_exists'
  return `op${snake(name.startsWith(type) ? name.slice(type.length) : name)}`
}
