import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import { sound } from '../providers/sound.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { stellarAsset, unmuxed } from './address.ts'
import { issuerOf } from './asset.ts'
import { accountKey, accountState, type LedgerEntries, ledgerEntries, maxKeys, trustlineKey, trustlineState } from './ledgerEntries.ts'
import { decodeStrKey } from './strkey.ts'

const decimals = 7

/** Balances of accounts; those of a muxed address are its account's, which knows no others. A contract's cannot be asked for. */
export function stellarBalanceReader({ providers }: { providers: Providers<JsonRpc> }): BalanceReader {
  return {
    async balances(address, contracts) {
      const { account } = unmuxed(address)
      if (decodeStrKey(account)?.kind === 'contract') throw new Error('what a contract holds is not told by accounts and trustlines')
      const assets = contracts.filter((contract) => stellarAsset(contract) !== null)
      const keys = [accountKey(account), ...assets.flatMap((asset) => [accountKey(issuerOf(asset)), trustlineKey(account, asset) ?? []].flat())]
      const read = await providers.ask<AddressBalances>(async (rpc) => {
        const found = await entriesOf(rpc, [...new Set(keys)])
        return sound(() => ({
          native: accountState(found, account)?.balance ?? 0n,
          tokens: contracts.map((contract) => tokenBalance(found, account, contract)),
        }))
      })
      return read ?? { native: 0n, tokens: [] }
    },
  }
}

/** Of one ledger, except where there are more than one call can ask for. */
async function entriesOf(rpc: JsonRpc, keys: readonly string[]): Promise<LedgerEntries> {
  const first = await ledgerEntries(rpc, keys.slice(0, maxKeys))
  if (keys.length <= maxKeys) return first
  const rest = await entriesOf(rpc, keys.slice(maxKeys))
  return { ledger: first.ledger, entries: new Map([...first.entries, ...rest.entries]) }
}

/** An asset is its code and its issuer: there is one as soon as there is an issuer, and it has no other name. */
function tokenBalance(found: LedgerEntries, account: string, contract: string): TokenBalance {
  const line = stellarAsset(contract) && trustlineState(found, account, contract)
  if (!line && !(stellarAsset(contract) && accountState(found, issuerOf(contract)))) {
    return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
  }
  return { contract, symbol: contract.split(':')[0] ?? null, decimals, balance: line ? line.balance : 0n, problem: null }
}
