import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { hexToBytes, keccak256, serializeTransaction } from 'viem/utils'
import type { Action } from '../../action.ts'
import type { Chain } from '../../registry.ts'
import { type ActionBuilder, onlyKey, type SignedTransaction, type Terms } from '../../sending.ts'
import { evmWalletKeys } from '../walletKeys.ts'
import { acceptSigned } from './acceptSigned.ts'
import {
  type FeePrice,
  minStep,
  reducedPrice,
  replacementAt,
  replacementPrice,
  standingOf,
} from './replacementPrice.ts'
import {
  type EvmSignature,
  type EvmTerms,
  readTerms,
  signedHex,
  transactionOf,
  writeTerms,
} from './transaction.ts'

/**
 * Builds EIP-1559 transactions: a native transfer, a call of the token's `transfer`, or the call of an
 * intent.
 */
export function evmTransferBuilder(chain: Pick<Chain, 'name' | 'network'>): ActionBuilder {
  const build = (action: Action, terms: Terms, nonce: bigint | null) =>
    transactionOf(chain, action, readTerms(terms), nonce)
  return {
    unsigned(action, terms, nonce) {
      const payload = serializeTransaction(build(action, terms, nonce))
      return { payload, encoding: 'hex', signing: keccak256(payload) }
    },
    sign(action, terms, nonce, keys) {
      const key = evmWalletKeys.parse(onlyKey(keys))
      if (key?.address !== action.from) throw new Error('the private key does not belong to the sender')
      const transaction = build(action, terms, nonce)
      return signedOf(
        transaction,
        signatureOf(keccak256(serializeTransaction(transaction)), key.privateKey.reveal() as Hex),
      )
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
    /** More than nodes require to replace a waiting transaction. */
    bumpFee(terms) {
      const read = readTerms(terms)
      const bumped = (fee: bigint) => (fee * 3n + 1n) / 2n
      return writeTerms({
        ...read,
        maxFeePerGas: bumped(read.maxFeePerGas),
        maxPriorityFeePerGas: bumped(read.maxPriorityFeePerGas),
      })
    },
    replace(replaced, planned, maxFee) {
      const wanted = readTerms(planned)
      return withPrice(wanted, replacementAt(readTerms(replaced), wanted, maxPerGas(wanted, maxFee)))
    },
    repricing: {
      priceOf: (terms) => readTerms(terms).maxFeePerGas,
      minPrice: (terms) => minStep(readTerms(terms).maxFeePerGas),
      /** The tip rises with the price: nodes require the same step of both. */
      at(terms, price) {
        const read = readTerms(terms)
        const inProportion = (read.maxPriorityFeePerGas * price) / (read.maxFeePerGas || 1n)
        const tip = [inProportion, minStep(read.maxPriorityFeePerGas)].reduce((a, b) => (a > b ? a : b))
        return writeTerms({ ...read, maxFeePerGas: price, maxPriorityFeePerGas: tip < price ? tip : price })
      },
    },
    replaceFee(terms, market, maxFee, variant) {
      const last = readTerms(terms)
      return withPrice(last, replacementPrice(last, market, maxPerGas(last, maxFee), BigInt(variant)))
    },
    reduceFee(terms, market, maxFee) {
      const wanted = readTerms(terms)
      return withPrice(wanted, reducedPrice(wanted, market, maxPerGas(wanted, maxFee)))
    },
    feeStanding: (terms, market) => standingOf(readTerms(terms), market),
  }
}

/** The price per unit of gas at which a transaction costs `maxFee`; 0 if it costs more at any price. */
const maxPerGas = ({ gas, l1Fee }: EvmTerms, maxFee: bigint): bigint =>
  maxFee > l1Fee ? (maxFee - l1Fee) / gas : 0n

const withPrice = (terms: EvmTerms, price: FeePrice | null): Terms | null =>
  price && writeTerms({ ...terms, ...price })

/** Deterministic (RFC 6979), with a low s (EIP-2). Does not use viem, whose signing is asynchronous. */
function signatureOf(digest: Hex, privateKey: Hex): EvmSignature {
  const bytes = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey), {
    prehash: false,
    format: 'recovered',
  })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  if (recovery === undefined) throw new Error('the signature has no recovery bit')
  return { r, s, recovery }
}

function signedOf(transaction: TransactionSerializableEIP1559, signature: EvmSignature): SignedTransaction {
  const raw = signedHex(transaction, signature)
  return { txId: keccak256(raw), bytes: hexToBytes(raw), expiry: null }
}
