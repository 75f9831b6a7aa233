import { describe, expect, test } from '@jest/globals'
import { configuredChains } from '../chains/configuration.ts'
import { worthOf } from './causes.ts'

const node = 'http://127.0.0.1:1'
const { chains } = configuredChains({ ETHEREUM_RPC_URLS: node, BSC_RPC_URLS: node })

/** Of a session for 10,000 NGN at 1,600, with a margin of 2 %. */
const session = {
  sessionChain: 'ethereum',
  sessionToken: 'USDC',
  expected: '6377552',
  localAmount: '10000',
  localCurrency: 'NGN',
  rate: '1600',
}
const worth = (amount: string, of: Partial<Parameters<typeof worthOf>[1]> = {}) =>
  worthOf({ chains }, { ...session, chain: 'ethereum', token: 'USDC', amount, ...of })?.amount

describe('a payment is worth', () => {
  test('the price where it is what was requested, and its share of it where it is less or more', () => {
    expect(worth('6377552')).toBe('10000')
    expect(worth('6377551')).toBe('9999.99')
    expect(worth('3188776')).toBe('5000')
    expect(worth('12755104')).toBe('20000')
    expect(worth('1')).toBe('0')
  })

  test('whole units of a currency that has no smaller one', () =>
    expect(worth('6377551', { localCurrency: 'XOF' })).toBe('9999'))

  test('its amount at the rate in another token, on another chain, or where no price was made', () => {
    expect(worth('6377552', { token: 'USDT' })).toBe('10204.08')
    expect(worth('6377552000000000000', { chain: 'bsc' })).toBe('10204.08')
    expect(worth('6377552', { localAmount: null })).toBe('10204.08')
  })

  test('nothing in a currency where the session has none', () =>
    expect(worth('6377552', { localCurrency: null })).toBeUndefined())
})
