import { utils } from 'tronweb'
import type { Terms, TransferIntent } from '../sending.ts'
import { contractOf } from './movements.ts'
import { encodeBytes } from './protobuf.ts'
import { transferCall } from './tokenCalls.ts'

/** What a transfer's transaction needs besides the intent. Times in milliseconds, amounts in sun as decimal strings. */
export interface TronTerms extends Terms {
  /** TAPOS: two bytes of a block's height and eight of its id, in hex (TRON developer docs, "Transactions"). */
  refBlockBytes: string
  refBlockHash: string
  timestamp: number
  expiration: number
  /** What energy may cost at most, staked energy counted at its price; `0` for TRX. */
  feeLimit: string
  /** What is burnt at most for bandwidth and energy. */
  fee: string
  /** What a new account costs besides. */
  besides: string
}

/** What is signed: `txId` is the SHA-256 of `raw`, and `data` the same in java-tron's JSON. */
export interface RawTransaction {
  txId: string
  raw: Buffer
  data: object
}

const isHex = (value: unknown, bytes: number): value is string => typeof value === 'string' && new RegExp(`^[0-9a-f]{${2 * bytes}}$`).test(value)
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
const isSun = (value: unknown): value is string => typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value)

/** @throws TypeError where they are no terms of this family */
export function tronTerms(terms: Terms): TronTerms {
  const { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides } = terms
  const isWhole = isHex(refBlockBytes, 2) && isHex(refBlockHash, 8) && isTime(timestamp) && isTime(expiration)
  if (!isWhole || !isSun(feeLimit) || !isSun(fee) || !isSun(besides)) throw new TypeError('these are no terms of a transfer on Tron')
  return { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides }
}

/**
 * The bytes of `Transaction.raw`, by tronweb, and read back by our own parser before anybody signs them.
 * @throws RangeError where the amount is more than such a transaction carries: on TRX what JSON keeps exact, nine thousand million
 */
export function rawTransaction(intent: TransferIntent, terms: TronTerms): RawTransaction {
  const { refBlockBytes, refBlockHash, expiration, timestamp, feeLimit } = terms
  const data = {
    contract: [contractJson(intent)],
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration,
    timestamp,
    ...(intent.token ? { fee_limit: Number(feeLimit) } : {}),
  }
  const message: unknown = utils.transaction.txJsonToPb({ visible: false, raw_data: data })
  const raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase()
  requireIntended(intent, raw_data_hex)
  return { txId: utils.transaction.txPbToTxID(message).replace(/^0x/, ''), raw: Buffer.from(raw_data_hex, 'hex'), data }
}

function contractJson({ from, to, token, amount }: TransferIntent): object {
  if (amount <= 0n || (!token && amount > BigInt(Number.MAX_SAFE_INTEGER)) || amount >= 2n ** 256n) {
    throw new RangeError('the amount is more than a transaction of Tron carries, or nothing')
  }
  const [type, value] = token
    ? ['TriggerSmartContract', { owner_address: from, contract_address: token.contract, data: transferCall(to, amount) }]
    : ['TransferContract', { owner_address: from, to_address: to, amount: Number(amount) }]
  return { parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }
}

/** @throws Error where the bytes say anything but the intent: nobody may sign them then */
function requireIntended({ from, to, token, amount }: TransferIntent, raw_data_hex: string): void {
  const contract = contractOf({ raw_data_hex })
  const isIntended =
    contract.kind === 'transfer'
      ? !token && contract.owner === from && contract.to === to && contract.amount === amount
      : contract.kind === 'trigger' &&
        contract.owner === from &&
        contract.to === token?.contract &&
        contract.amount === 0n &&
        Buffer.from(contract.data).toString('hex') === transferCall(to, amount)
  if (!isIntended) throw new Error('the bytes of the transaction are not those of the transfer')
}

/** `Transaction { raw_data = 1; signature = 2 }` of java-tron's `core/Tron.proto`: what is broadcast. */
export const signedBytes = (raw: Uint8Array, signature: Uint8Array): Buffer => Buffer.concat([encodeBytes(1, raw), encodeBytes(2, signature)])
