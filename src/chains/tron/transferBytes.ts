import { utils } from 'tronweb'
import type { TransferSpec } from '../action.ts'
import type { Terms } from '../sending.ts'
import { contractOf } from './movements.ts'
import { encodeBytes } from './protobuf.ts'
import { transferCall } from './tokenCalls.ts'

/** A transfer's data beyond its transfer. Times in milliseconds, amounts in sun as decimal strings. */
export interface TronTerms extends Terms {
  /** TAPOS: two bytes of a block's height and eight of its id, in hex (TRON developer docs, "Transactions"). */
  refBlockBytes: string
  refBlockHash: string
  timestamp: number
  expiration: number
  /** Maximum cost of the energy, counting staked energy at its price; `0` for TRX. */
  feeLimit: string
  /** Maximum burnt for bandwidth and energy. */
  fee: string
  /** Cost of a new account, on top of the fee. */
  besides: string
}

/** `txId` is the SHA-256 of `raw`, and is signed; `data` is the same transaction in java-tron's JSON. */
export interface RawTransaction {
  txId: string
  raw: Buffer
  data: object
}

const isHex = (value: unknown, bytes: number): value is string => typeof value === 'string' && new RegExp(`^[0-9a-f]{${2 * bytes}}$`).test(value)
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
const isSun = (value: unknown): value is string => typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value)

/** @throws TypeError if they are not terms of a Tron transfer */
export function tronTerms(terms: Terms): TronTerms {
  const { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides } = terms
  const isComplete = isHex(refBlockBytes, 2) && isHex(refBlockHash, 8) && isTime(timestamp) && isTime(expiration)
  if (!isComplete || !isSun(feeLimit) || !isSun(fee) || !isSun(besides)) throw new TypeError('these are not terms of a Tron transfer')
  return { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides }
}

/**
 * The bytes of `Transaction.raw`, built by tronweb and checked by our own parser before they are signed.
 * @throws RangeError if the amount is not above zero, or more than a transaction can carry: for TRX what JSON keeps exact, nine billion
 */
export function rawTransaction(transfer: TransferSpec, terms: TronTerms): RawTransaction {
  const { refBlockBytes, refBlockHash, expiration, timestamp, feeLimit } = terms
  const data = {
    contract: [contractJson(transfer)],
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration,
    timestamp,
    ...(transfer.token ? { fee_limit: Number(feeLimit) } : {}),
  }
  const message: unknown = utils.transaction.txJsonToPb({ visible: false, raw_data: data })
  const raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase()
  requireIntended(transfer, raw_data_hex)
  return { txId: utils.transaction.txPbToTxID(message).replace(/^0x/, ''), raw: Buffer.from(raw_data_hex, 'hex'), data }
}

function contractJson({ from, to, token, amount }: TransferSpec): object {
  if (amount <= 0n || (!token && amount > BigInt(Number.MAX_SAFE_INTEGER)) || amount >= 2n ** 256n) {
    throw new RangeError('the amount must be above zero, and at most what a Tron transaction can carry')
  }
  const [type, value] = token
    ? ['TriggerSmartContract', { owner_address: from, contract_address: token.contract, data: transferCall(to, amount) }]
    : ['TransferContract', { owner_address: from, to_address: to, amount: Number(amount) }]
  return { parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }
}

/** @throws Error if the bytes differ from the transfer: they must not be signed */
function requireIntended({ from, to, token, amount }: TransferSpec, raw_data_hex: string): void {
  const contract = contractOf({ raw_data_hex })
  const isIntended =
    contract.kind === 'transfer'
      ? !token && contract.owner === from && contract.to === to && contract.amount === amount
      : contract.kind === 'trigger' &&
        contract.owner === from &&
        contract.to === token?.contract &&
        contract.amount === 0n &&
        Buffer.from(contract.data).toString('hex') === transferCall(to, amount)
  if (!isIntended) throw new Error('the bytes of the transaction do not match the transfer')
}

/** `Transaction { raw_data = 1; signature = 2 }` of java-tron's `core/Tron.proto`: the form that is broadcast. */
export const signedBytes = (raw: Uint8Array, signature: Uint8Array): Buffer => Buffer.concat([encodeBytes(1, raw), encodeBytes(2, signature)])
