import { utils } from 'tronweb'
import type { Action } from '../action.ts'
import { type ActionBuilder, onlyKey, type SignedTransaction } from '../sending.ts'
import {
  type RawTransaction,
  rawTransaction,
  signedBytes,
  type TronTerms,
  tronTerms,
} from './transferBytes.ts'
import { tronWalletKeys } from './walletKeys.ts'

/**
 * Builds and signs transfers of TRX, transfers of TRC-20 tokens by a contract call, and other calls.
 * Transactions have no chain id: TAPOS binds them to the chain.
 */
export function tronTransferBuilder(): ActionBuilder {
  const build = (action: Action, given: Parameters<typeof tronTerms>[0]) => {
    const terms = tronTerms(given)
    return { terms, built: rawTransaction(action, terms) }
  }
  return {
    unsigned(action, given) {
      const { built } = build(action, given)
      const payload = {
        visible: false,
        txID: built.txId,
        raw_data: built.data,
        raw_data_hex: built.raw.toString('hex'),
      }
      return { payload: JSON.stringify(payload), encoding: 'json', signing: built.txId }
    },
    sign(action, given, _nonce, keys) {
      const { terms, built } = build(action, given)
      const key = tronWalletKeys.parse(onlyKey(keys))
      if (key?.address !== action.from) throw new Error('the private key is not that of the sender')
      return signed(built, terms, signatureOf(built.txId, key.privateKey.reveal()))
    },
    accept(action, given, _nonce, payload) {
      const { terms, built } = build(action, given)
      const submitted = readPayload(payload)
      if (typeof submitted === 'string') return { refused: submitted }
      if (submitted.raw_data_hex !== built.raw.toString('hex'))
        return { refused: 'it differs from the transaction that was to be signed' }
      if (signerOf(built.txId, submitted.signature) !== action.from)
        return { refused: 'its signature is not that of the sender' }
      return signed(built, terms, submitted.signature)
    },
    maxFee(given) {
      const { fee, feeLimit, besides } = tronTerms(given)
      // The signed limit counts, even if the stated fee is lower.
      const [stated, limit] = [BigInt(fee), BigInt(feeLimit)]
      return (stated > limit ? stated : limit) + BigInt(besides)
    },
  }
}

const signed = (
  { txId, raw }: RawTransaction,
  { expiration }: TronTerms,
  signature: string,
): SignedTransaction => ({
  txId,
  bytes: new Uint8Array(signedBytes(raw, Buffer.from(signature, 'hex'))),
  expiry: { time: new Date(expiration) },
})

/** r, s and v (27 or 28) in hex: 65 bytes. @throws Error that does not reveal the key */
function signatureOf(txId: string, privateKey: string): string {
  try {
    const bytes = utils.code.hexStr2byteArray
    return utils.crypto.ECKeySign(bytes(txId), bytes(privateKey)).toLowerCase()
  } catch {
    throw new Error('the transaction could not be signed')
  }
}

function signerOf(txId: string, signature: string): string | null {
  try {
    return utils.crypto.ecRecover(txId, signature).toLowerCase()
  } catch {
    return null
  }
}

/**
 * Reads the signed JSON: only its bytes and its one signature count; `raw_data` is for human readers.
 * @returns the reason if it is not valid
 */
function readPayload(payload: string): { raw_data_hex: string; signature: string } | string {
  let json: { raw_data_hex?: unknown; signature?: unknown } | null
  try {
    json = JSON.parse(payload)
  } catch {
    return 'it is not JSON'
  }
  const { raw_data_hex, signature } = json ?? {}
  if (typeof raw_data_hex !== 'string') return 'it has no raw_data_hex'
  const [first, ...more] = Array.isArray(signature) ? (signature as unknown[]) : []
  if (first === undefined || more.length > 0) return 'it must have one signature'
  const body = typeof first === 'string' ? first.replace(/^0x/i, '').toLowerCase() : ''
  if (!/^[0-9a-f]{128}(00|01|1b|1c)$/.test(body)) return 'its signature is not 65 bytes in hex'
  // Some libraries write the recovery bit as 0 or 1; java-tron accepts both.
  const recovery = Number.parseInt(body.slice(128), 16) % 27
  return {
    raw_data_hex: raw_data_hex.toLowerCase(),
    signature: body.slice(0, 128) + (27 + recovery).toString(16),
  }
}
