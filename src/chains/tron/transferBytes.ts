import { utils } from 'tronweb'
import type { Action, CallsSpec, TransferSpec } from '../action.ts'
import type { Terms } from '../sending.ts'
import { type Contract, contractOf } from './movements.ts'
import { encodeBytes } from './protobuf.ts'
import { soleCall } from './soleCall.ts'
import { transferCall } from './tokenCalls.ts'

/** A transaction's data beyond its action. Times in milliseconds, amounts in sun as decimal strings. */
export interface TronTerms extends Terms {
  /**
   * TAPOS: two bytes of a block's height and eight of its id, in hex (TRON developer docs, "Transactions").
   */
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

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && new RegExp(`^[0-9a-f]{${2 * bytes}}$`).test(value)
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
const isSun = (value: unknown): value is string =>
  typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value)

/** @throws TypeError if they are not terms of a Tron transaction */
export function tronTerms(terms: Terms): TronTerms {
  const { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides } = terms
  const isComplete =
    isHex(refBlockBytes, 2) && isHex(refBlockHash, 8) && isTime(timestamp) && isTime(expiration)
  if (!isComplete || !isSun(feeLimit) || !isSun(fee) || !isSun(besides))
    throw new TypeError('these are not terms of a Tron transaction')
  return { refBlockBytes, refBlockHash, timestamp, expiration, feeLimit, fee, besides }
}

/**
 * The bytes of `Transaction.raw`, built by tronweb and checked by our own parser before they are signed.
 * @throws ActionRefusedError for calls that one transaction cannot carry
 * @throws RangeError if the amount is not above zero, or more than a transaction can carry: for TRX what JSON
 * keeps exact, nine billion
 */
export function rawTransaction(action: Action, terms: TronTerms): RawTransaction {
  const { refBlockBytes, refBlockHash, expiration, timestamp, feeLimit } = terms
  const data = {
    contract: [contractJson(action)],
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration,
    timestamp,
    ...(action.kind === 'calls' || action.token ? { fee_limit: Number(feeLimit) } : {}),
  }
  const message: unknown = utils.transaction.txJsonToPb({ visible: false, raw_data: data })
  const raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase()
  requireIntended(action, raw_data_hex)
  return {
    txId: utils.transaction.txPbToTxID(message).replace(/^0x/, ''),
    raw: Buffer.from(raw_data_hex, 'hex'),
    data,
  }
}

function contractJson(action: Action): object {
  const [type, value] = action.kind === 'calls' ? callJson(action) : transferJson(action)
  return { parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }
}

function callJson(action: CallsSpec): [type: string, value: object] {
  const { to, data, value } = soleCall(action)
  const sent = value > 0n ? { call_value: Number(value) } : {}
  return ['TriggerSmartContract', { owner_address: action.from, contract_address: to, data, ...sent }]
}

function transferJson({ from, to, token, amount }: TransferSpec): [type: string, value: object] {
  if (amount <= 0n || (!token && amount > BigInt(Number.MAX_SAFE_INTEGER)) || amount >= 2n ** 256n) {
    throw new RangeError('the amount must be above zero, and at most what a Tron transaction can carry')
  }
  return token
    ? [
        'TriggerSmartContract',
        { owner_address: from, contract_address: token.contract, data: transferCall(to, amount) },
      ]
    : ['TransferContract', { owner_address: from, to_address: to, amount: Number(amount) }]
}

/** The content that the bytes must have: a transfer of TRX, or a call. */
function intendedOf(action: Action): Contract {
  const { from: owner } = action
  const call = (to: string, amount: bigint, data: string): Contract => ({
    kind: 'trigger',
    owner,
    to,
    amount,
    data: Buffer.from(data, 'hex'),
  })
  if (action.kind === 'calls') {
    const { to, value, data } = soleCall(action)
    return call(to, value, data)
  }
  const { to, token, amount } = action
  return token ? call(token.contract, 0n, transferCall(to, amount)) : { kind: 'transfer', owner, to, amount }
}

/** @throws Error if the bytes differ from the action: they must not be signed */
function requireIntended(action: Action, raw_data_hex: string): void {
  const [given, intended] = [contractOf({ raw_data_hex }), intendedOf(action)]
  const isTransfer = given.kind === 'transfer' && intended.kind === 'transfer'
  const isCall =
    given.kind === 'trigger' && intended.kind === 'trigger' && Buffer.compare(given.data, intended.data) === 0
  const isIntended =
    (isTransfer || isCall) &&
    given.owner === intended.owner &&
    given.to === intended.to &&
    given.amount === intended.amount
  if (!isIntended)
    throw new Error(
      `the bytes of the transaction do not match the ${action.kind === 'calls' ? 'call' : 'transfer'}`,
    )
}

/**
 * `Transaction { raw_data = 1; signature = 2 }` of java-tron's `core/Tron.proto`: the form that is broadcast.
 */
export const signedBytes = (raw: Uint8Array, signature: Uint8Array): Buffer =>
  Buffer.concat([encodeBytes(1, raw), encodeBytes(2, signature)])

/** Bytes of the signed transaction. */
export const signedSize = (action: Action, terms: TronTerms): number =>
  signedBytes(rawTransaction(action, terms).raw, new Uint8Array(65)).length
