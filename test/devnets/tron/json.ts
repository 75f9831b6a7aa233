/** The JSON of java-tron's HTTP API: fields that its JsonFormat omits, and the effect of `visible`. */
import { TronWeb, utils } from 'tronweb'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
export type JsonObject = { [key: string]: Json | undefined }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex')

const addressPattern = /^41[0-9a-f]{40}$/

/** An address of either form as `41…`; null if invalid (checksum included). */
export function toHexAddress(address: Json | undefined): string | null {
  if (typeof address !== 'string') return null
  if (addressPattern.test(address.toLowerCase())) return address.toLowerCase()
  return TronWeb.isAddress(address) ? TronWeb.address.toHex(address).toLowerCase() : null
}

export const toBase58 = (address: string): string => TronWeb.address.fromHex(address)

/**
 * Fields that `visible: true` returns in base58, and those it returns as text (java-tron,
 * HttpSelfFormatFieldName).
 */
const addressFields = new Set([
  'address',
  'owner_address',
  'to_address',
  'account_address',
  'contract_address',
  'origin_address',
  'caller_address',
  'transferTo_address',
  'witness_address',
])
const textFields = new Set(['asset_name', 'message', 'resMessage'])

/** The answer in the form for `visible: true`. */
export function toVisible(value: Json, field = ''): Json {
  if (Array.isArray(value)) return value.map((each) => toVisible(each, field))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, each === undefined ? each : toVisible(each, key)]),
    )
  if (typeof value !== 'string') return value
  if (addressFields.has(field)) {
    // A log's address has 20 bytes; only `visible` adds the prefix (java-tron,
    // convertLogAddressToTronAddress).
    const address = value.length === 40 ? `41${value}` : value
    return addressPattern.test(address) ? toBase58(address) : value
  }
  return textFields.has(field) && /^([0-9a-f]{2})+$/.test(value)
    ? Buffer.from(value, 'hex').toString('utf8')
    : value
}

const hexFields = new Set([
  ...addressFields,
  'asset_name',
  'data',
  'bytecode',
  'ref_block_bytes',
  'ref_block_hash',
  'operations',
  'scripts',
])

/** JSON omits proto3's zero values; bytes are lower-case hex. */
function plain(value: Json, field = ''): Json | undefined {
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => plain(each, field) ?? {}) : undefined
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => {
        const kept = each === undefined ? undefined : plain(each, key)
        return kept === undefined ? [] : [[key, kept]]
      }),
    )
  }
  if (value === 0 || value === '' || value === false || value === null) return undefined
  // The first value of an enumeration is zero: the resource of a stake, the type of an account.
  if ((field === 'resource' && value === 'BANDWIDTH') || (field === 'type' && value === 'Normal'))
    return undefined
  return typeof value === 'string' && hexFields.has(field) ? value.toLowerCase() : value
}

export interface RawData {
  contract: [{ parameter: { value: JsonObject; type_url: string }; type: string; Permission_id?: number }]
  ref_block_bytes?: string
  ref_block_hash?: string
  expiration?: number
  timestamp?: number
  fee_limit?: number
  /** The memo, hex. */
  data?: string
}

/** Contract types that the devnet supports, by their number in Tron.proto. */
export const contractTypes = {
  0: 'AccountCreateContract',
  1: 'TransferContract',
  2: 'TransferAssetContract',
  30: 'CreateSmartContract',
  31: 'TriggerSmartContract',
  46: 'AccountPermissionUpdateContract',
  54: 'FreezeBalanceV2Contract',
} as const
export type ContractType = (typeof contractTypes)[keyof typeof contractTypes]
export const isContractType = (type: unknown): type is ContractType =>
  Object.values<unknown>(contractTypes).includes(type)

/** `raw_data` in the API's format, decoded from its bytes by tronweb. */
export function rawDataJson(type: ContractType, raw: string): RawData {
  const read: Json = JSON.parse(JSON.stringify(utils.deserializeTx.deserializeTransaction(type, raw)))
  const json = plain(read)
  if (!isObject(json)) throw new Error('no raw_data')
  return json as unknown as RawData
}

/** The type of the only contract, found by trying tronweb's decoders: each refuses other types. */
export function contractTypeOf(raw: string): ContractType | null {
  for (const type of Object.values(contractTypes)) {
    try {
      utils.deserializeTx.deserializeTransaction(type, raw)
      return type
    } catch {}
  }
  return null
}

/**
 * A request's `raw_data` as protobuf. Like java-tron's `packTransaction` it ignores the request's
 * `raw_data_hex` and `txID`: a change in the JSON gives another transaction, which the signature does not
 * match.
 */
export function packRawData(transaction: JsonObject): string {
  const raw = transaction.raw_data
  if (!isObject(raw) || !Array.isArray(raw.contract)) throw new Error('no raw_data')
  return utils.transaction.txPbToRawDataHex(utils.transaction.txJsonToPb(transaction)).toLowerCase()
}
