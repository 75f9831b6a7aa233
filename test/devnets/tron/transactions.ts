/** Submitted transactions: JSON or bytes. */
import { Refusal } from './errors.ts'
import type { Transaction } from './execute.ts'
import {
  contractTypeOf,
  isContractType,
  isObject,
  type Json,
  type JsonObject,
  packRawData,
  rawDataJson,
  toHexAddress,
} from './json.ts'
import { decodeTransaction, type SignedTransaction, sha256 } from './wire.ts'

const other = (message: string) => new Refusal('OTHER_ERROR', `Error: ${message}`)

/** @throws Refusal if the devnet does not support its contract */
function fromBytes(signed: SignedTransaction): Transaction {
  const type = contractTypeOf(signed.raw)
  if (type === null) throw other('the devnet does not support this contract type')
  const id = sha256(Buffer.from(signed.raw, 'hex')).toString('hex')
  return { ...signed, id, type, data: rawDataJson(type, signed.raw) }
}

/** The body of `/wallet/broadcasthex`: a complete `Transaction`. */
export const readHexTransaction = (hex: string): Transaction =>
  fromBytes(decodeTransaction(Buffer.from(hex, 'hex')))

/**
 * The body of `/wallet/broadcasttransaction`, with either form of addresses. @throws Refusal, or Error for a
 * malformed body
 */
export function readTransaction(body: JsonObject): Transaction {
  const raw = body.raw_data
  const contract = isObject(raw) && Array.isArray(raw.contract) ? raw.contract[0] : undefined
  if (!isObject(contract))
    throw new Refusal('CONTRACT_VALIDATE_ERROR', 'Contract validate error : No contract!')
  if (!isContractType(contract.type)) throw other('the devnet does not support this contract type')
  const signatures = Array.isArray(body.signature)
    ? body.signature.map((each) => String(each).replace(/^0x/, '').toLowerCase())
    : []
  return fromBytes({ raw: packRawData(body), signatures })
}

/**
 * An unsigned transaction that references the head, as `/wallet/createtransaction` and similar return it.
 * @param value the contract, addresses as `41…`
 */
export function draftTransaction(
  type: string,
  value: JsonObject,
  draft: {
    refBlock: { id: string; timestamp: number }
    feeLimit: number
    memo: Json | undefined
    permissionId: Json | undefined
  },
): Transaction {
  const { id, timestamp } = draft.refBlock
  return readTransaction({
    raw_data: {
      contract: [
        {
          parameter: { value, type_url: `type.googleapis.com/protocol.${type}` },
          type,
          ...(typeof draft.permissionId === 'number' ? { Permission_id: draft.permissionId } : {}),
        },
      ],
      ref_block_bytes: id.slice(12, 16),
      ref_block_hash: id.slice(16, 32),
      // java-tron's default: a minute after the head.
      expiration: timestamp + 60_000,
      timestamp: Date.now(),
      ...(draft.feeLimit ? { fee_limit: draft.feeLimit } : {}),
      ...(typeof draft.memo === 'string' ? { data: draft.memo } : {}),
    },
  })
}

const addressKeys = ['owner_address', 'to_address', 'account_address', 'contract_address', 'address']

/** A request's addresses as `41…`. Invalid ones stay unchanged, and are refused where they are used. */
export const withHexAddresses = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      addressKeys.includes(key) ? (toHexAddress(value) ?? value) : value,
    ]),
  )
