import { Account, Keypair, Memo, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base'
import type { Secret } from '../../platform/secrets.ts'
import { formatUnits } from '../amount.ts'
import type { Chain } from '../registry.ts'
import type { SignedTransaction, Terms, TransferBuilder, TransferIntent } from '../sending.ts'
import { unmuxed } from './address.ts'
import { assetOf } from './asset.ts'
import { hexOf } from './ledger.ts'
import { stellarTerms } from './terms.ts'

/** As many as an envelope can hold (Stellar-transaction.x, `DecoratedSignature signatures<20>`). */
const maxSignatures = 20
const decimals = 7

/** One operation in one transaction: a payment, or what opens the recipient's account with the amount. */
export function stellarTransferBuilder({ network }: Pick<Chain, 'network'>): TransferBuilder {
  const build = (intent: TransferIntent, terms: Terms, sequence: bigint | null): Transaction => buildTransfer(network, intent, terms, sequence)
  return {
    unsigned(intent, terms, sequence) {
      const transaction = build(intent, terms, sequence)
      return { payload: transaction.toXdr(), encoding: 'base64', signing: hexOf(transaction.hash()) }
    },
    sign(intent, terms, sequence, privateKey) {
      const pair = keyPair(privateKey)
      if (pair.publicKey() !== unmuxed(intent.from).account) throw new Error('this is not the key of the sender')
      const transaction = build(intent, terms, sequence)
      transaction.sign(pair)
      return signedOf(transaction, terms)
    },
    accept(intent, terms, sequence, payload) {
      const transaction = build(intent, terms, sequence)
      const hash = transaction.hash()
      const given = readEnvelope(payload, network)
      if (!given) return { refused: 'it is no transaction envelope of Stellar in base64' }
      if (hexOf(given.hash()) !== hexOf(hash)) return { refused: 'it is another transaction than the one that was to be signed' }
      const { signatures } = given
      if (signatures.length > maxSignatures) return { refused: `it has more than ${maxSignatures} signatures` }
      const sender = Keypair.fromPublicKey(unmuxed(intent.from).account)
      // Others may have to sign as well; whether they have is between them and the network, which refuses what lacks a signature.
      const own = signatures.some(
        ({ hint, signature }) => hexOf(hint.value) === hexOf(sender.signatureHint()) && verifies(sender, hash, signature.value),
      )
      if (!own) return { refused: 'it has no valid signature of the sender' }
      // What is sent is what was built here, with what was signed there.
      for (const signature of signatures) transaction.addDecoratedSignature(signature)
      return signedOf(transaction, terms)
    },
    maxFee: (terms) => BigInt(stellarTerms(terms).fee),
  }
}

function buildTransfer(network: string, intent: TransferIntent, terms: Terms, sequence: bigint | null): Transaction {
  if (sequence === null) throw new Error('a transaction of Stellar needs a sequence')
  const { fee, minTime, maxTime, creates } = stellarTerms(terms)
  if (creates && intent.token) throw new Error('an account is opened with lumens alone')
  const amount = formatUnits(intent.amount, decimals)
  const operation = creates
    ? Operation.createAccount({ destination: intent.to, startingBalance: amount })
    : Operation.payment({ destination: intent.to, asset: assetOf(intent.token?.contract ?? null), amount })
  // The library counts up from the last sequence that was used.
  const source = new Account(unmuxed(intent.from).account, (sequence - 1n).toString())
  return new TransactionBuilder(source, { fee, networkPassphrase: network, timebounds: { minTime, maxTime }, memo: memoOf(intent) })
    .addOperation(operation)
    .build()
}

function memoOf({ memo }: TransferIntent): Memo {
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

/** The library's own errors could quote the key. */
function keyPair(privateKey: Secret): Keypair {
  try {
    return Keypair.fromSecret(privateKey.reveal())
  } catch {
    throw new Error('this is no private key of Stellar')
  }
}

/** Null for anything but one transaction: also for a fee bump, which is another transaction around it. */
function readEnvelope(payload: string, network: string): Transaction | null {
  try {
    const read = TransactionBuilder.fromXdr(payload, network)
    return read instanceof Transaction ? read : null
  } catch {
    return null
  }
}

/** The library throws at a signature that is no 64 bytes. */
function verifies(sender: Keypair, hash: Uint8Array, signature: Uint8Array): boolean {
  try {
    return sender.verify(hash, signature)
  } catch {
    return false
  }
}
