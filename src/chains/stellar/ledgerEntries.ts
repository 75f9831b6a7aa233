import { Keypair, xdr } from '@stellar/stellar-sdk/base'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { assetOf, issuerOf } from './asset.ts'

/** Entries of the ledger's state, all as of one ledger, by their keys. Missing entries are left out. */
export interface LedgerEntries {
  /** Height of that ledger. */
  ledger: number
  entries: ReadonlyMap<string, xdr.LedgerEntryData>
}

export interface AccountState {
  /** Of its last transaction. */
  sequence: bigint
  /** Stroops; offers have reserved `selling` of them. */
  balance: bigint
  selling: bigint
  /** Base reserves that it must keep (Stellar docs, "Minimum balance"; CAP-33 for sponsored ones). */
  reserves: number
  /** Weight of the account's own key, and the weight that a payment needs. */
  masterWeight: number
  mediumThreshold: number
}

export interface TrustlineState {
  /** Units of 10^-7. Offers have reserved `selling` of the balance, and `buying` of the limit. */
  balance: bigint
  selling: bigint
  buying: bigint
  limit: bigint
  /** The issuer lets it send and receive. */
  authorized: boolean
}

/** Limit of Stellar RPC (Stellar docs, "getLedgerEntries"). */
export const maxKeys = 200

/** @param keys at most 200, in base64 XDR; duplicates are removed */
export async function ledgerEntries(rpc: JsonRpc, keys: readonly string[]): Promise<LedgerEntries> {
  const answered = await rpc.call('getLedgerEntries', { keys: [...new Set(keys)] })
  return sound(() => {
    const { entries, latestLedger } = answered as {
      entries: { key: string; xdr: string }[] | null
      latestLedger: number
    }
    if (!Number.isSafeInteger(latestLedger))
      throw new ProviderError(`${rpc.name} returned entries without their ledger`)
    return {
      ledger: latestLedger,
      entries: new Map(
        (entries ?? []).map((entry) => [entry.key, xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')]),
      ),
    }
  })
}

const accountId = (account: string) => Keypair.fromPublicKey(account).xdrAccountId()

/** Keys in base64 XDR. @param account `G…` */
export const accountKey = (account: string): string =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: accountId(account) })).toXdr('base64')

export const dataKey = (account: string, dataName: string): string =>
  xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId: accountId(account), dataName })).toXdr('base64')

/**
 * Null if the account issues the asset: an issuer has no trustline, and nodes refuse its key. @param contract
 * `CODE:ISSUER`
 */
export function trustlineKey(account: string, contract: string): string | null {
  if (issuerOf(contract) === account) return null
  const asset = assetOf(contract).toTrustLineXdrObject()
  return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: accountId(account), asset })).toXdr(
    'base64',
  )
}

/** @returns null if the account does not exist */
export function accountState({ entries }: LedgerEntries, account: string): AccountState | null {
  const entry = entries.get(accountKey(account))
  if (entry?.type !== 'account') return null
  const { balance, seqNum, numSubEntries, thresholds, ext } = entry.account
  const v1 = ext.type === 'v1' ? ext.v1 : null
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : null
  const [masterWeight = 0, , mediumThreshold = 0] = thresholds.value
  return {
    sequence: seqNum,
    balance,
    selling: v1?.liabilities.selling ?? 0n,
    reserves: 2 + numSubEntries + (v2?.numSponsoring ?? 0) - (v2?.numSponsored ?? 0),
    masterWeight,
    mediumThreshold,
  }
}

/** Lumens that an account can spend: beyond its reserves, and what its offers have reserved. */
export function freeOf(state: AccountState | null, baseReserve: bigint): bigint {
  const free = state ? state.balance - state.selling - BigInt(state.reserves) * baseReserve : 0n
  return free > 0n ? free : 0n
}

const authorizedFlag = 1

/** @returns null if the account has no trustline for the asset */
export function trustlineState(
  { entries }: LedgerEntries,
  account: string,
  contract: string,
): TrustlineState | null {
  const entry = entries.get(trustlineKey(account, contract) ?? '')
  if (entry?.type !== 'trustline') return null
  const { balance, limit, flags, ext } = entry.trustLine
  const { selling, buying } = ext.type === 'v1' ? ext.v1.liabilities : { selling: 0n, buying: 0n }
  return { balance, selling, buying, limit, authorized: (flags & authorizedFlag) !== 0 }
}

/** Bytes of a data entry; null if there is no entry. */
export function dataValue({ entries }: LedgerEntries, account: string, name: string): Buffer | null {
  const entry = entries.get(dataKey(account, name))
  return entry?.type === 'data' ? Buffer.from(entry.data.dataValue.value) : null
}
