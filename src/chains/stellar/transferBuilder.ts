import { Account, Keypair, Memo, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base'
import type { Secret } from '../../platform/secrets.ts'
import type { Action, TransferSpec } from '../action.ts'
import { formatUnits } from '../amount.ts'
import type { Chain } from '../registry.ts'
import { type ActionBuilder, onlyKey, type SignedTransaction, type Terms, transferOnly } from '../sending.ts'
import { unmuxed } from './address.ts'
import { assetOf } from './asset.ts'
import { hexOf } from './ledger.ts'
import { stellarTerms } from './terms.ts'

/** The limit of an envelope (Stellar-transaction.x, `DecoratedSignature signatures<20>`). */
const maxSignatures = 20
const decimals = 7

/** One transaction with one operation: a payment, or the creation of the recipient's account with the amount. */
export function stellarTransferBuilder({ network }: Pick<Chain, 'network'>): ActionBuilder {
  const build = (action: Action, terms: Terms, sequence: bigint | null): Transaction => buildTransfer(network, transferOnly(action), terms, sequence)
  return {
    unsigned(action, terms, sequence) {
      const transaction = build(action, terms, sequence)
      return { payload: transaction.toXdr(), encoding: 'base64', signing: hexOf(transaction.hash()) }
    },
    sign(action, terms, sequence, keys) {
      const pair = keyPair(onlyKey(keys))
      if (pair.publicKey() !== unmuxed(action.from).account) throw new Error('the key is not the sender’s key')
      const transaction = build(action, terms, sequence)
      transaction.sign(pair)
      return signedOf(transaction, terms)
    },
    accept(action, terms, sequence, payload) {
      const transaction = build(action, terms, sequence)
      const hash = transaction.hash()
      const given = readEnvelope(payload, network)
      if (!given) return { refused: 'it is not a Stellar transaction envelope in base64' }
      if (hexOf(given.hash()) !== hexOf(hash)) return { refused: 'it is not the transaction that was to be signed' }
      const { signatures } = given
      if (signatures.length > maxSignatures) return { refused: `it has more than ${maxSignatures} signatures` }
      const sender = Keypair.fromPublicKey(unmuxed(action.from).account)
      // The account may need other signatures too; the network checks those.
      const own = signatures.some(
        ({ hint, signature }) => hexOf(hint.value) === hexOf(sender.signatureHint()) && verifies(sender, hash, signature.value),
      )
      if (!own) return { refused: 'it has no valid signature of the sender' }
      // Send the transaction that was built here, with the signatures of the payload.
      for (const signature of signatures) transaction.addDecoratedSignature(signature)
      return signedOf(transaction, terms)
    },
    maxFee: (terms) => BigInt(stellarTerms(terms).fee),
  }
}

function buildTransfer(network: string, transfer: TransferSpec, terms: Terms, sequence: bigint | null): Transaction {
  if (sequence === null) throw new Error('a Stellar transaction needs a sequence')
  const { fee, minTime, maxTime, creates } = stellarTerms(terms)
  if (creates && transfer.token) throw new Error('only lumens can open an account')
  const amount = formatUnits(transfer.amount, decimals)
  const operation = creates
    ? Operation.createAccount({ destination: transfer.to, startingBalance: amount })
    : Operation.payment({ destination: transfer.to, asset: assetOf(transfer.token?.contract ?? null), amount })
  // The SDK increments the sequence.
  const source = new Account(unmuxed(transfer.from).account, (sequence - 1n).toString())
  return new TransactionBuilder(source, { fee, networkPassphrase: network, timebounds: { minTime, maxTime }, memo: memoOf(transfer) })
    .addOperation(operation)
    .build()
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
