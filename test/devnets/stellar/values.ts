import { createHash } from 'node:crypto'
import { Asset, encodeMuxedAccountToAddress, StrKey, xdr } from '@stellar/stellar-sdk'

/**
 * The maximum amount and balance (a signed 64-bit number of stroops): Stellar docs, Assets, "Amount
 * precision".
 */
export const maxAmount = 2n ** 63n - 1n

/** One unit of any asset has seven decimals: Stellar docs, Assets, "Amount precision". */
const stroopsInUnit = 10_000_000n

/** An asset in SEP-11's format: `native`, or `CODE:ISSUER`. */
export type AssetName = string

export const nativeAsset: AssetName = 'native'

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** `12345678n` → `1.2345678`, Horizon's format. */
export function formatAmount(stroops: bigint): string {
  const digits = stroops.toString().padStart(8, '0')
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`
}

/** `1.5` → `15000000n`; null if it is not an amount. */
export function parseAmount(text: string): bigint | null {
  const found = /^(\d+)(?:\.(\d{1,7}))?$/.exec(text)
  return found ? BigInt(found[1] ?? 0) * stroopsInUnit + BigInt((found[2] ?? '').padEnd(7, '0')) : null
}

/** The `G…` of an account. */
export const accountOf = (key: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(key.value.value)

/** The account of a possibly muxed address: the ledger knows only plain ones (CAP-27). */
export const baseOf = (account: xdr.MuxedAccount): string =>
  StrKey.encodeEd25519PublicKey(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  )

/** The `M…` and the id of a muxed address; null for a plain address. */
export function muxedOf(account: xdr.MuxedAccount): { address: string; id: bigint } | null {
  return account.type === 'keyTypeMuxedEd25519'
    ? { address: encodeMuxedAccountToAddress(account), id: account.med25519.id }
    : null
}

export const accountKey = (account: string): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(account))

export const assetOf = (asset: xdr.Asset): AssetName => Asset.fromOperation(asset).toString()

export function sdkAsset(name: AssetName): Asset {
  const [code = '', issuer] = name.split(':')
  return name === nativeAsset ? Asset.native() : new Asset(code, issuer)
}

export const assetKey = (name: AssetName): xdr.Asset => sdkAsset(name).toXdrObject()

/** Null for the native asset, which has no issuer. */
export const issuerOf = (name: AssetName): string | null => name.split(':')[1] ?? null

/** Horizon's `asset_type`, `asset_code` and `asset_issuer`, with a prefix for records with several assets. */
export function assetFields(name: AssetName, prefix = ''): Record<string, string> {
  const asset = sdkAsset(name)
  const type = { [`${prefix}asset_type`]: asset.getAssetType() }
  return asset.isNative()
    ? type
    : {
        ...type,
        [`${prefix}asset_code`]: asset.getCode(),
        [`${prefix}asset_issuer`]: asset.getIssuer() ?? '',
      }
}

/** Total order id: SEP-35. Transactions count from 1, operations from 1 in Horizon. */
export const toid = (ledger: number, transaction: number, operation: number): bigint =>
  (BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation)

/** `2026-11-20T18:00:00Z`: both APIs return whole seconds. */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Division that rounds up. */
export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

export function minOf(first: bigint, ...others: readonly bigint[]): bigint {
  let min = first
  for (const each of others) if (each < min) min = each
  return min
}
