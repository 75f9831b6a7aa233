import { encodeMuxedAccountToAddress, xdr } from '@stellar/stellar-sdk/base'
import { type Call, type CallsSpec, signersOf } from '../action.ts'
import { ActionRefusedError } from '../sending.ts'
import { unmuxed } from './address.ts'

/**
 * The operations that are signed: each moves value, prepares an account to hold it, or has a sponsor pay for
 * that, and its effect is complete with the transaction. The others are not signed:
 * - `setOptions`, `accountMerge`, `bumpSequence`, `revokeSponsorship` give an account, its signers, its
 * sequence or its reserve away.
 * - Offers and pools spend later, at a moment that others choose: what they spend cannot be stated.
 * - `allowTrust`, `setTrustLineFlags` and clawbacks are powers of issuers over balances of others.
 * - Calls of contracts (`invokeHostFunction`) need resources and authorizations that only a simulation finds;
 * the terms do not have them.
 * - `manageData` and `inflation` have no use here.
 */
const signedOperations: ReadonlySet<string> = new Set<xdr.OperationBody['type']>([
  'createAccount',
  'payment',
  'pathPaymentStrictReceive',
  'pathPaymentStrictSend',
  'changeTrust',
  'createClaimableBalance',
  'claimClaimableBalance',
  'beginSponsoringFutureReserves',
  'endSponsoringFutureReserves',
])

/** Limits of a transaction (Stellar-transaction.x, `MAX_OPS_PER_TX`, `DecoratedSignature signatures<20>`). */
const maxOperations = 100
export const maxSignatures = 20

export interface CallOperation {
  operation: xdr.Operation
  /** `G…` of the account whose operation it is. */
  source: string
}

const unsupported = (message: string) => new ActionRefusedError('unsupported_action', message)

/** The operations of calls, in their order. @throws ActionRefusedError */
export function callOperations(action: CallsSpec): CallOperation[] {
  const { calls } = action
  if (calls.length === 0) throw unsupported('there is no call')
  if (calls.length > maxOperations)
    throw unsupported(`a transaction has at most ${maxOperations} operations, not ${calls.length}`)
  const operations = calls.map((call) => operationOf(call, action.from))
  requireSigners(action, operations)
  return operations
}

function operationOf({ to, data, value, accounts }: Call, from: string): CallOperation {
  if (value !== 0n) throw unsupported('a call cannot send lumens along on Stellar: use an operation')
  if (accounts.length > 0) throw unsupported('a call has no accounts on Stellar')
  const operation = readOperation(data)
  if (!signedOperations.has(operation.body.type))
    throw unsupported(`operations of type ${operation.body.type} are not signed`)
  const source = unmuxed(
    operation.sourceAccount ? encodeMuxedAccountToAddress(operation.sourceAccount) : from,
  ).account
  if (unmuxed(to).account !== source) throw unsupported(`an operation is of ${source}, its call names ${to}`)
  return { operation, source }
}

function readOperation(data: string): xdr.Operation {
  try {
    const operation = xdr.Operation.fromXdr(data, 'base64')
    if (operation.toXdr('base64') === data) return operation
  } catch {
    // Refused below.
  }
  throw unsupported('the data of a call is not one operation in base64 XDR')
}

/**
 * The network refuses a transaction that lacks a signature, or has one that it does not need
 * (`txBAD_AUTH_EXTRA`).
 */
function requireSigners(action: CallsSpec, operations: readonly CallOperation[]): void {
  const signers = signersOf(action).map((address) => unmuxed(address).account)
  if (signers.length > maxSignatures)
    throw unsupported(`a transaction has at most ${maxSignatures} signatures, not ${signers.length}`)
  const foreign = operations.find(({ source }) => !signers.includes(source))
  if (foreign)
    throw unsupported(
      `the calls need a signature of ${foreign.source}, which is not a signer of the transaction`,
    )
  const [from = '', ...cosigners] = signers
  const needed = new Set(operations.map(({ source }) => source))
  const unused = cosigners.find(
    (address, index) => address === from || !needed.has(address) || cosigners.indexOf(address) !== index,
  )
  if (unused !== undefined) throw unsupported(`the calls need no signature of the cosigner ${unused}`)
}
