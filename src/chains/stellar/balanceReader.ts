import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import { sound } from '../providers/sound.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { stellarAsset, unmuxed } from './address.ts'
import { issuerOf } from './asset.ts'
import { latestLedger } from './latestLedger.ts'
import {
  accountKey,
  accountState,
  freeOf,
  type LedgerEntries,
  ledgerEntries,
  maxKeys,
  trustlineKey,
  trustlineState,
} from './ledgerEntries.ts'
import { decodeStrKey } from './strkey.ts'

const decimals = 7

/** Balances of accounts. A muxed address has the balances of its account. @throws for a contract address */
export function stellarBalanceReader({ providers }: { providers: Providers<JsonRpc> }): BalanceReader {
  return {
    async balances(address, contracts) {
      const { account } = unmuxed(address)
      if (decodeStrKey(account)?.kind === 'contract')
        throw new Error(
          'the balances of a contract address cannot be read: it has no account entry and no trustlines',
        )
      const assets = contracts.filter((contract) => stellarAsset(contract) !== null)
      const keys = [
        accountKey(account),
        ...assets.flatMap((asset) =>
          [accountKey(issuerOf(asset)), trustlineKey(account, asset) ?? []].flat(),
        ),
      ]
      const read = await providers.ask<AddressBalances>(async (rpc) => {
        const found = await entriesOf(rpc, [...new Set(keys)])
        return sound(() => ({
          native: accountState(found, account)?.balance ?? 0n,
          tokens: contracts.map((contract) => tokenBalance(found, account, contract)),
        }))
      })
      return read ?? { native: 0n, tokens: [] }
    },
    async spendable(addresses) {
      const accounts = addresses.map((address) => unmuxed(address).account)
      const read = await providers.ask(async (rpc) => {
        const [found, { baseReserve }] = await Promise.all([
          entriesOf(rpc, accounts.map(accountKey)),
          latestLedger(rpc),
        ])
        return sound(() => accounts.map((account) => freeOf(accountState(found, account), baseReserve)))
      })
      if (!read) throw new ProviderError('no provider returned the balances')
      return read
    },
  }
}

/** All as of one ledger, unless there are more keys than one call takes. */
async function entriesOf(rpc: JsonRpc, keys: readonly string[]): Promise<LedgerEntries> {
  const first = await ledgerEntries(rpc, keys.slice(0, maxKeys))
  if (keys.length <= maxKeys) return first
  const rest = await entriesOf(rpc, keys.slice(maxKeys))
  return { ledger: first.ledger, entries: new Map([...first.entries, ...rest.entries]) }
}

/** An asset is its code and its issuer: it exists if the issuer's account does. It has no other name. */
function tokenBalance(found: LedgerEntries, account: string, contract: string): TokenBalance {
  const line = stellarAsset(contract) && trustlineState(found, account, contract)
  if (!line && !(stellarAsset(contract) && accountState(found, issuerOf(contract)))) {
    return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
  }
  return {
    contract,
    symbol: contract.split(':')[0] ?? null,
    decimals,
    balance: line ? line.balance : 0n,
    problem: null,
  }
}
