import {
  Account,
  Claimant,
  Keypair,
  Memo,
  Operation,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base'
import { formatUnits } from '../../money/amount.ts'
import { Secret } from '../../platform/secrets.ts'
import { type Action, type CallsSpec, signersOf, type TransferSpec } from '../action.ts'
import type { Chain } from '../registry.ts'
import { type ActionBuilder, ActionRefusedError, type SignedTransaction, type Terms } from '../sending.ts'
import { unmuxed } from './address.ts'
import { assetOf } from './asset.ts'
import { callOperations, maxSignatures } from './callOperations.ts'
import { hexOf } from './ledger.ts'
import { stellarTerms } from './terms.ts'

const decimals = 7
/** Seven days. */
const senderClaimsAfterSeconds = 604_800

/**
 * Of a transfer: a transaction with one operation, a payment, the creation of the recipient's account with
 * the amount, or a claimable balance. Of calls: a transaction with their operations, signed by all.
 */
export function stellarTransferBuilder({ network }: Pick<Chain, 'network'>): ActionBuilder {
  const build = (action: Action, terms: Terms, sequence: bigint | null): Transaction =>
    buildAction(network, action, terms, sequence)
  return {
    unsigned(action, terms, sequence) {
      const transaction = build(action, terms, sequence)
      return { payload: transaction.toXdr(), encoding: 'base64', signing: hexOf(transaction.hash()) }
    },
    sign(action, terms, sequence, keys) {
      const pairs = pairsOf(action, keys)
      const transaction = build(action, terms, sequence)
      transaction.sign(...pairs)
      return signedOf(transaction, terms)
    },
    accept(action, terms, sequence, payload) {
      if (signersOf(action).length > 1)
        throw new ActionRefusedError('unsupported_action', 'a transaction with cosigners is only signed here')
      const transaction = build(action, terms, sequence)
      const hash = transaction.hash()
      const given = readEnvelope(payload, network)
      if (!given) return { refused: 'it is not a Stellar transaction envelope in base64' }
      if (hexOf(given.hash()) !== hexOf(hash))
        return { refused: 'it is not the transaction that was to be signed' }
      const { signatures } = given
      if (signatures.length > maxSignatures)
        return { refused: `it has more than ${maxSignatures} signatures` }
      const sender = Keypair.fromPublicKey(unmuxed(action.from).account)
      // The account may need other signatures too; the network checks those.
      const own = signatures.some(
        ({ hint, signature }) =>
          hexOf(hint.value) === hexOf(sender.signatureHint()) && verifies(sender, hash, signature.value),
      )
      if (!own) return { refused: 'it has no valid signature of the sender' }
      // Send the transaction that was built here, with the signatures of the payload.
      for (const signature of signatures) transaction.addDecoratedSignature(signature)
      return signedOf(transaction, terms)
    },
    maxFee: (terms) => BigInt(stellarTerms(terms).fee),
  }
}

function buildAction(network: string, action: Action, terms: Terms, sequence: bigint | null): Transaction {
  if (sequence === null) throw new Error('a Stellar transaction needs a sequence')
  const { fee, minTime, maxTime, creates, claimable = false } = stellarTerms(terms)
  const operations =
    action.kind === 'calls'
      ? operationsOf(action, creates || claimable)
      : [operationOf(action, { creates, claimable })]
  // The SDK takes the fee of one operation.
  const [whole, count] = [BigInt(fee), BigInt(operations.length)]
  if (whole % count !== 0n) throw new Error('the terms are of another number of operations')
  // The SDK increments the sequence.
  const source = new Account(unmuxed(action.from).account, (sequence - 1n).toString())
  const builder = new TransactionBuilder(source, {
    fee: (whole / count).toString(),
    networkPassphrase: network,
    timebounds: { minTime, maxTime },
    memo: action.kind === 'calls' ? Memo.none() : memoOf(action),
  })
  for (const operation of operations) builder.addOperation(operation)
  return builder.build()
}

function operationOf(
  transfer: TransferSpec,
  { creates, claimable }: { creates: boolean; claimable: boolean },
): xdr.Operation {
  if (creates && transfer.token) throw new Error('only lumens can open an account')
  const amount = formatUnits(transfer.amount, decimals)
  if (claimable) return claimableOf(transfer, amount)
  return creates
    ? Operation.createAccount({ destination: transfer.to, startingBalance: amount })
    : Operation.payment({
        destination: transfer.to,
        asset: assetOf(transfer.token?.contract ?? null),
        amount,
      })
}

/**
 * The recipient claims it at any time; later the sender can, too: nothing is lost if the recipient never
 * does.
 */
function claimableOf({ from, to, token, ifNoTrustline }: TransferSpec, amount: string): xdr.Operation {
  if (token === null || ifNoTrustline?.kind !== 'claimable')
    throw new Error('the transfer does not allow a claimable balance')
  const later = Claimant.predicateNot(
    Claimant.predicateBeforeRelativeTime(senderClaimsAfterSeconds.toString()),
  )
  const claimants = [
    new Claimant(to, Claimant.predicateUnconditional()),
    new Claimant(unmuxed(from).account, later),
  ]
  return Operation.createClaimableBalance({ asset: assetOf(token.contract), amount, claimants })
}

function operationsOf(action: CallsSpec, ofTransfer: boolean): xdr.Operation[] {
  if (ofTransfer) throw new Error('the terms are of a transfer, the action is of calls')
  return callOperations(action).map(({ operation }) => operation)
}

function memoOf({ memo }: TransferSpec): Memo {
  if (memo === null) return Memo.none()
  const { type, value } = memo
  if (type === 'text') return Memo.text(value)
  if (type === 'id') return Memo.id(value)
  return type === 'hash' ? Memo.hash(value) : Memo.return(value)
}

function signedOf(transaction: Transaction, terms: Terms): SignedTransaction {
  return {
    txId: hexOf(transaction.hash()),
    bytes: transaction.toEnvelope().toXdr(),
    expiry: { time: new Date(stellarTerms(terms).maxTime * 1000) },
  }
}

/** In the order of the signers. @throws unless there is exactly one key for each */
function pairsOf(action: Action, keys: readonly Secret[]): Keypair[] {
  const signers = signersOf(action)
  if (keys.length !== signers.length)
    throw new Error(`the transaction is signed with ${signers.length} keys, not ${keys.length}`)
  return signers.map((address, index) => {
    const pair = keyPair(keys[index] ?? new Secret(''))
    if (pair.publicKey() !== unmuxed(address).account) throw new Error(`the key is not that of ${address}`)
    return pair
  })
}

/** The SDK's errors could quote the key. */
function keyPair(privateKey: Secret): Keypair {
  try {
    return Keypair.fromSecret(privateKey.reveal())
  } catch {
    throw new Error('the key is not a Stellar private key')
  }
}

/** Null unless it is a single transaction; a fee bump is another transaction around it. */
function readEnvelope(payload: string, network: string): Transaction | null {
  try {
    const read = TransactionBuilder.fromXdr(payload, network)
    return read instanceof Transaction ? read : null
  } catch {
    return null
  }
}

/** The SDK throws if a signature is not 64 bytes. */
function verifies(sender: Keypair, hash: Uint8Array, signature: Uint8Array): boolean {
  try {
    return sender.verify(hash, signature)
  } catch {
    return false
  }
}
