import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { hexToBytes, keccak256, serializeTransaction } from 'viem/utils'
import type { Action } from '../action.ts'
import type { Chain } from '../registry.ts'
import { type ActionBuilder, onlyKey, type SignedTransaction, type Terms } from '../sending.ts'
import { acceptSigned } from './acceptSigned.ts'
import { larger } from './fees.ts'
import { type EvmSignature, type EvmTerms, readTerms, signedHex, transactionOf, writeTerms } from './transaction.ts'
import { evmWalletKeys } from './walletKeys.ts'

/** Builds EIP-1559 transactions: a native transfer, a call of the token's `transfer`, or the call of an intent. */
export function evmTransferBuilder(chain: Pick<Chain, 'name' | 'network'>): ActionBuilder {
  const build = (action: Action, terms: Terms, nonce: bigint | null) => transactionOf(chain, action, readTerms(terms), nonce)
  return {
    unsigned(action, terms, nonce) {
      const payload = serializeTransaction(build(action, terms, nonce))
      return { payload, encoding: 'hex', signing: keccak256(payload) }
    },
    sign(action, terms, nonce, keys) {
      const key = evmWalletKeys.parse(onlyKey(keys))
      if (key?.address !== action.from) throw new Error('the private key does not belong to the sender')
      const transaction = build(action, terms, nonce)
      return signedOf(transaction, signatureOf(keccak256(serializeTransaction(transaction)), key.privateKey.reveal() as Hex))
    },
    accept(action, terms, nonce, payload) {
      const transaction = build(action, terms, nonce)
      const signature = acceptSigned(transaction, action.from, payload)
      return 'refused' in signature ? signature : signedOf(transaction, signature)
    },
    maxFee(terms) {
      const { gas, maxFeePerGas, l1Fee } = readTerms(terms)
      return gas * maxFeePerGas + l1Fee
    },
    bumpFee: (terms) => writeTerms(bumped(readTerms(terms))),
    replace(replaced, planned) {
      const [min, now] = [bumped(readTerms(replaced)), readTerms(planned)]
      const [maxFeePerGas, maxPriorityFeePerGas] = [
        larger(min.maxFeePerGas, now.maxFeePerGas),
        larger(min.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
      ]
      return writeTerms({ ...now, maxFeePerGas, maxPriorityFeePerGas })
    },
    repricing: {
      priceOf: (terms) => readTerms(terms).maxFeePerGas,
      minPrice: (terms) => replacing(readTerms(terms).maxFeePerGas),
      /** The tip rises with the price: nodes ask for a tenth more of both. */
      at(terms, price) {
        const read = readTerms(terms)
        const inProportion = (read.maxPriorityFeePerGas * price) / (read.maxFeePerGas || 1n)
        const tip = [inProportion, replacing(read.maxPriorityFeePerGas)].reduce((a, b) => (a > b ? a : b))
        return writeTerms({ ...read, maxFeePerGas: price, maxPriorityFeePerGas: tip < price ? tip : price })
      },
    },
  }
}

/** The lowest fee that replaces one: geth asks for a tenth more (`txpool.pricebump`). */
const replacing = (fee: bigint): bigint => (fee * 11n + 9n) / 10n

/** Both fees by half: to replace a pending transaction, nodes ask for 10 %, some for 12.5 % (geth's `txpool.pricebump`). */
function bumped(terms: EvmTerms): EvmTerms {
  const more = (fee: bigint) => (fee * 3n + 1n) / 2n
  return { ...terms, maxFeePerGas: more(terms.maxFeePerGas), maxPriorityFeePerGas: more(terms.maxPriorityFeePerGas) }
}

/** Deterministic (RFC 6979), with a low s (EIP-2). Does not use viem, whose signing is asynchronous. */
function signatureOf(digest: Hex, privateKey: Hex): EvmSignature {
  const bytes = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey), { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  if (recovery === undefined) throw new Error('the signature has no recovery bit')
  return { r, s, recovery }
}

function signedOf(transaction: TransactionSerializableEIP1559, signature: EvmSignature): SignedTransaction {
  const raw = signedHex(transaction, signature)
  return { txId: keccak256(raw), bytes: hexToBytes(raw), expiry: null }
}
