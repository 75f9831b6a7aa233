import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Account, Asset, Keypair, MuxedAccount } from '@stellar/stellar-sdk'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import { ProviderError } from '../chain.ts'
import type { AddressBalances } from '../sending.ts'
import { encodeStrKey } from './strkey.ts'

let stellar: StellarSending
beforeAll(async () => {
  stellar = await openStellarSending()
})
afterAll(() => stellar?.close())

const read = (address: string, ...contracts: string[]): Promise<AddressBalances> =>
  stellar.reader.balances(address, contracts)
const known = (contract: string, balance: bigint) => ({
  contract,
  symbol: contract.split(':')[0],
  decimals: 7,
  balance,
  problem: null,
})
const unknown = (contract: string) => ({
  contract,
  symbol: null,
  decimals: null,
  balance: null,
  problem: 'not_a_token',
})

test('lumens that accounts can spend are read for many at once: without the reserves of what they hold', async () => {
  const [plain, holding] = [await stellar.holder(), await stellar.holder(stellar.usdc, stellar.usdt)]
  const of = async (key: Keypair, reserves: bigint) =>
    BigInt((await stellar.balances(key.publicKey())).native?.replace('.', '') ?? 0) - (reserves * one) / 2n
  const [absent, muxed] = [
    Keypair.random().publicKey(),
    new MuxedAccount(new Account(plain.publicKey(), '0'), '9').accountId(),
  ]
  const free = await of(plain, 2n)
  expect(await stellar.reader.spendable([plain.publicKey(), absent, holding.publicKey(), muxed])).toEqual([
    free,
    0n,
    await of(holding, 4n),
    free,
  ])
})

describe('balances of an address', () => {
  test('match the chain’s own API, in the requested order', async () => {
    const holder = (
      await stellar.holder(
        { ...stellar.usdc, amount: '12.3456789' },
        { ...stellar.usdt, amount: '0.0000001' },
      )
    ).publicKey()
    const shown = await stellar.balances(holder)
    const units = (amount = '0.0000000') => BigInt(amount.replace('.', ''))
    const { usdc, usdt } = stellar.network.devnet
    const both = [known(usdt, units(shown[usdt])), known(usdc, units(shown[usdc]))]
    expect(await read(holder, usdt, usdc)).toEqual({ native: units(shown.native), tokens: both })
    expect(both.map(({ balance }) => balance)).toEqual([1n, 123_456_789n])
  })

  test('of a muxed address are those of its account', async () => {
    const holder = (await stellar.holder({ ...stellar.usdc, amount: '3' })).publicKey()
    const address = new MuxedAccount(new Account(holder, '0'), '9').accountId()
    expect(await read(address, stellar.usdc.contract)).toEqual(await read(holder, stellar.usdc.contract))
  })

  test('of an account that does not exist are zero', async () => {
    expect(await read(Keypair.random().publicKey(), stellar.usdc.contract)).toEqual({
      native: 0n,
      tokens: [known(stellar.usdc.contract, 0n)],
    })
  })

  test('are zero for a token without a trustline', async () => {
    const { usdc, fakeUsdc } = stellar.network.devnet
    const holder = (await stellar.holder({ contract: fakeUsdc, amount: '2' })).publicKey()
    expect((await read(holder, usdc, fakeUsdc)).tokens).toEqual([known(usdc, 0n), known(fakeUsdc, 2n * one)])
  })

  test('report `not_a_token` for an asset without an issuer, and for a text that is not an asset', async () => {
    const holder = (await stellar.holder()).publicKey()
    const withoutIssuer = `USDC:${Keypair.random().publicKey()}`
    const notAnAsset = 'TOOLONGACODE1:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
    expect(await read(holder, withoutIssuer, notAnAsset, stellar.usdc.contract)).toEqual({
      native: 10_000n * one,
      tokens: [unknown(withoutIssuer), unknown(notAnAsset), known(stellar.usdc.contract, 0n)],
    })
  })

  test('of a token’s issuer are zero for its own token', async () => {
    const [, issuer = ''] = stellar.usdc.contract.split(':')
    expect((await read(issuer, stellar.usdc.contract)).tokens).toEqual([known(stellar.usdc.contract, 0n)])
  })

  test('are read in several calls if there are more tokens than one call takes', async () => {
    const holder = (await stellar.holder({ ...stellar.usdc, amount: '1' })).publicKey()
    const many = Array.from({ length: 150 }, () => new Asset('MANY', Keypair.random().publicKey()).toString())
    const { tokens } = await read(holder, ...many, stellar.usdc.contract)
    expect([tokens.length, tokens[150]]).toEqual([151, known(stellar.usdc.contract, one)])
  })

  test('of a contract are refused', async () => {
    await expect(read(encodeStrKey('contract', new Uint8Array(32)))).rejects.toThrow(/contract/)
  })

  test('come from the second provider while the first is down; with both down the call fails', async () => {
    const holder = (await stellar.holder()).publicKey()
    await stellar.misbehave('first', { down: true })
    expect((await read(holder)).native).toBe(10_000n * one)
    await stellar.misbehave('second', { down: true })
    await expect(read(holder)).rejects.toThrow(ProviderError)
  })
})
