import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Horizon, Keypair, Operation } from '@stellar/stellar-sdk'
import { sendOnStellar } from '../../../test/devnets/customers/stellar.ts'
import { type StellarDevnet, startStellarDevnet } from '../../../test/devnets/stellar.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { depositAccount } from './keyDeriver.ts'
import { openPlatformAccount } from './openAccount.ts'

/** Short ledgers, for short waits. */
const blockMs = 100
let devnet: StellarDevnet
let chain: Parameters<typeof openPlatformAccount>[0]

beforeAll(async () => {
  devnet = await startStellarDevnet({ blockMs })
  const token = (symbol: 'USDC' | 'USDT', contract: string) => ({ symbol, contract, decimals: 7 })
  chain = {
    rpcUrls: [devnet.rpcUrl],
    network: devnet.networkPassphrase,
    tokens: [token('USDC', devnet.usdc), token('USDT', devnet.usdt)],
  }
})
afterAll(() => devnet?.stop())

let seeds = 0
/** A new platform, whose account does not exist yet. */
function setUp() {
  seeds += 1
  const seed = Buffer.alloc(64, seeds)
  const pair = Keypair.fromRawEd25519Seed(Buffer.from(depositAccount(seed).privateKey))
  return { seed, pair, account: pair.publicKey() }
}
const horizon = () => new Horizon.Server(devnet.horizonUrl, { allowHttp: true })
const isThere = (account: string) =>
  waitFor('the account', async () => (await horizon().loadAccount(account)).balances)
const fund = async (account: string, lumens: string) => {
  await sendOnStellar(devnet, [Operation.createAccount({ destination: account, startingBalance: lumens })])
  await isThere(account)
}
const trusted = async (account: string) =>
  (await isThere(account))
    .flatMap((line) => ('asset_issuer' in line ? [`${line.asset_code}:${line.asset_issuer}`] : []))
    .sort()

// Stellar docs, "Minimum balance": (2 + 2 trustlines) × 0.5 XLM; and twice 0.001 XLM, the maximum fee of an
// operation.
const needed = '2.002'

describe('the account of deposits', () => {
  test('that does not exist is reported with all that it needs, and nothing is sent', async () => {
    const { seed, account } = setUp()
    expect(await openPlatformAccount(chain, seed)).toEqual({
      account,
      missingReserve: needed,
      trusted: [],
      added: [],
    })
  })

  test('that lacks a little is reported with the amount, and nothing is sent', async () => {
    const { seed, account } = setUp()
    await fund(account, '2.0019999')
    expect(await openPlatformAccount(chain, seed)).toEqual({
      account,
      missingReserve: '0.0000001',
      trusted: [],
      added: [],
    })
    expect(await trusted(account)).toEqual([])
  })

  test('that has just enough accepts the tokens; a second run changes nothing', async () => {
    const { seed, account } = setUp()
    await fund(account, needed)
    const both = [devnet.usdc, devnet.usdt]
    expect(await openPlatformAccount(chain, seed)).toEqual({
      account,
      missingReserve: null,
      trusted: both,
      added: both,
    })
    expect(await trusted(account)).toEqual(both.toSorted())
    expect(await openPlatformAccount(chain, seed)).toEqual({
      account,
      missingReserve: null,
      trusted: both,
      added: [],
    })
  })

  test('that accepts one token already gets the other', async () => {
    const { seed, account } = setUp()
    await fund(account, '5')
    const [usdc] = chain.tokens
    if (!usdc) throw new Error('no token')
    expect(await openPlatformAccount({ ...chain, tokens: [usdc] }, seed)).toMatchObject({
      added: [devnet.usdc],
    })
    expect(await openPlatformAccount(chain, seed)).toMatchObject({
      trusted: [devnet.usdc, devnet.usdt],
      added: [devnet.usdt],
    })
  })
})

test('a chain without a node is reported as such', async () => {
  await expect(openPlatformAccount({ ...chain, rpcUrls: [] }, setUp().seed)).rejects.toThrow('no node')
})
