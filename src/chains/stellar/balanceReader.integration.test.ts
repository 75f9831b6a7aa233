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

const read = (address: string, ...contracts: string[]): Promise<AddressBalances> => stellar.reader.balances(address, contracts)
const known = (contract: string, balance: bigint) => ({ contract, symbol: contract.split(':')[0], decimals: 7, balance, problem: null })
const unknown = (contract: string) => ({ contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' })

describe('the balances of an address', () => {
  test('are those that the chain’s own API shows, in the order that was asked for', async () => {
    const holder = (await stellar.holder({ ...stellar.usdc, amount: '12.3456789' }, { ...stellar.usdt, amount: '0.0000001' })).publicKey()
    const shown = await stellar.balances(holder)
    const units = (amount = '0.0000000') => BigInt(amount.replace('.', ''))
    const { usdc, usdt } = stellar.network.devnet
    const both = [known(usdt, units(shown[usdt])), known(usdc, units(shown[usdc]))]
    expect(await read(holder, usdt, usdc)).toEqual({ native: units(shown.native), tokens: both })
    expect(both.map(({ balance }) => balance)).toEqual([1n, 123_456_789n])
  })

  test('are the account’s, for a muxed address of it', async () => {
    const holder = (await stellar.holder({ ...stellar.usdc, amount: '3' })).publicKey()
    const address = new MuxedAccount(new Account(holder, '0'), '9').accountId()
    expect(await read(address, stellar.usdc.contract)).toEqual(await read(holder, stellar.usdc.contract))
  })

  test('of nobody are none', async () => {
    expect(await read(Keypair.random().publicKey(), stellar.usdc.contract)).toEqual({ native: 0n, tokens: [known(stellar.usdc.contract, 0n)] })
  })

  test('hold none of a token without a trustline for it', async () => {
    const { usdc, fakeUsdc } = stellar.network.devnet
    const holder = (await stellar.holder({ contract: fakeUsdc, amount: '2' })).publicKey()
    expect((await read(holder, usdc, fakeUsdc)).tokens).toEqual([known(usdc, 0n), known(fakeUsdc, 2n * one)])
  })

  test('say of what has no issuer, or is no asset, that it is no token', async () => {
    const holder = (await stellar.holder()).publicKey()
    const nobodys = `USDC:${Keypair.random().publicKey()}`
    const none = 'TOOLONGACODE1:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
    expect(await read(holder, nobodys, none, stellar.usdc.contract)).toEqual({
      native: 10_000n * one,
      tokens: [unknown(nobodys), unknown(none), known(stellar.usdc.contract, 0n)],
    })
  })

  test('are read for the issuer of a token too, who holds none of it', async () => {
    const [, issuer = ''] = stellar.usdc.contract.split(':')
    expect((await read(issuer, stellar.usdc.contract)).tokens).toEqual([known(stellar.usdc.contract, 0n)])
  })

  test('are read in several calls where there are more tokens than one takes', async () => {
    const holder = (await stellar.holder({ ...stellar.usdc, amount: '1' })).publicKey()
    const many = Array.from({ length: 150 }, () => new Asset('MANY', Keypair.random().publicKey()).toString())
    const { tokens } = await read(holder, ...many, stellar.usdc.contract)
    expect([tokens.length, tokens[150]]).toEqual([151, known(stellar.usdc.contract, one)])
  })

  test('of a contract are not told, rather than told wrong', async () => {
    await expect(read(encodeStrKey('contract', new Uint8Array(32)))).rejects.toThrow(/contract/)
  })

  test('are read from the second provider while the first is down; with both down nobody knows', async () => {
    const holder = (await stellar.holder()).publicKey()
    await stellar.misbehave('first', { down: true })
    expect((await read(holder)).native).toBe(10_000n * one)
    await stellar.misbehave('second', { down: true })
    await expect(read(holder)).rejects.toThrow(ProviderError)
  })
})
