import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { hexToBytes, keccak256, serializeTransaction } from 'viem/utils'
import type { Chain } from '../registry.ts'
import type { SignedTransaction, Terms, TransferBuilder, TransferIntent } from '../sending.ts'
import { acceptSigned } from './acceptSigned.ts'
import { type EvmSignature, readTerms, signedHex, transactionOf, writeTerms } from './transaction.ts'
import { evmWalletKeys } from './walletKeys.ts'

/** EIP-1559 transactions: the coin's value, or a call of the token's `transfer`. */
export function evmTransferBuilder(chain: Pick<Chain, 'name' | 'network'>): TransferBuilder {
  const build = (intent: TransferIntent, terms: Terms, sequence: bigint | null) => transactionOf(chain, intent, readTerms(terms), sequence)
  return {
    unsigned(intent, terms, sequence) {
      const payload = serializeTransaction(build(intent, terms, sequence))
      return { payload, encoding: 'hex', signing: keccak256(payload) }
    },
    sign(intent, terms, sequence, privateKey) {
      const key = evmWalletKeys.parse(privateKey)
      if (key?.address !== intent.from) throw new Error('the key is not that of the sender')
      const transaction = build(intent, terms, sequence)
      return signedOf(transaction, signatureOf(keccak256(serializeTransaction(transaction)), key.privateKey.reveal() as Hex))
    },
    accept(intent, terms, sequence, payload) {
      const transaction = build(intent, terms, sequence)
      const signature = acceptSigned(transaction, intent.from, payload)
      return 'refused' in signature ? signature : signedOf(transaction, signature)
    },
    maxFee(terms) {
      const { gas, maxFeePerGas, l1Fee } = readTerms(terms)
      return gas * maxFeePerGas + l1Fee
    },
    /** Half as much again: nodes want 10 %, some 12.5 %, more of both fees to replace what waits (geth's `txpool.pricebump`). */
    dearer(terms) {
      const read = readTerms(terms)
      const more = (fee: bigint) => (fee * 3n + 1n) / 2n
      return writeTerms({ ...read, maxFeePerGas: more(read.maxFeePerGas), maxPriorityFeePerGas: more(read.maxPriorityFeePerGas) })
    },
  }
}

/** Always the same for the same digest and key (RFC 6979), with a low s (EIP-2). viem's own signing is not synchronous. */
function signatureOf(digest: Hex, privateKey: Hex): EvmSignature {
  const bytes = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey), { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  if (recovery === undefined) throw new Error('a signature without its recovery bit')
  return { r, s, recovery }
}

function signedOf(transaction: TransactionSerializableEIP1559, signature: EvmSignature): SignedTransaction {
  const raw = signedHex(transaction, signature)
  return { txId: keccak256(raw), bytes: hexToBytes(raw), expiry: null }
}
