import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseUnits } from 'viem'
import { allowanceHolder, evmChainNames } from '../../../test/devnets/evm.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { openZeroX, type ZeroXOnDevnet } from '../../../test/support/zeroXSwapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'

/** Swaps of 0x on each EVM devnet: prepared, sent, and exact to the unit. */

const [key, other] = [keyOf(401), addressOf(keyOf(402))]
const from = addressOf(key)

describe.each(evmChainNames)('on %s', (name) => {
  let on: ZeroXOnDevnet
  let usdc: string
  const units = (whole: string) => parseUnits(whole, on.devnet.decimals)
  beforeAll(async () => {
    on = await openZeroX(name)
    usdc = on.devnet.usdc
    await on.chain.fund(from, 10n ** 20n)
    await on.chain.call('anvil_dealERC20', from, usdc, `0x${units('10000').toString(16)}`)
  })
  afterAll(() => on.close())

  test.each([
    ['oneself', from],
    ['another address', other],
  ])('the coin for a token, to %s', async (_, to) => {
    const [coins, tokens] = [await on.balance(coin, from), await on.balance(usdc, to)]
    const prepared = await on.prepare({ sellToken: coin, buyToken: usdc, sellAmount: 10n ** 18n, from, to })
    expect(prepared.steps.map(({ purpose }) => purpose)).toEqual(['swap'])
    expect(prepared.minBuyAmount).toBe(units('2976.045'))
    const { statuses, paid } = await on.send(prepared, key)
    expect(statuses).toEqual(['0x1'])
    expect(await on.balance(usdc, to)).toBe(tokens + units('2991'))
    expect(await on.balance(coin, from)).toBe(coins - 10n ** 18n - paid)
  })

  test.each([
    ['oneself', from],
    ['another address', other],
  ])('a token for the coin, to %s', async (_, to) => {
    const [coins, sent, tokens] = [
      await on.balance(coin, to),
      await on.balance(coin, from),
      await on.balance(usdc, from),
    ]
    const prepared = await on.prepare({ sellToken: usdc, buyToken: coin, sellAmount: units('300'), from, to })
    expect(prepared.steps.map(({ purpose }) => purpose)).toEqual(['swap-approval', 'swap'])
    const { statuses, paid } = await on.send(prepared, key)
    expect(statuses).toEqual(['0x1', '0x1'])
    const bought = parseUnits('0.0997', 18)
    expect(await on.balance(coin, to)).toBe(coins + bought - (to === from ? paid : 0n))
    expect(await on.balance(coin, from)).toBe(sent - paid + (to === from ? bought : 0n))
    expect(await on.balance(usdc, from)).toBe(tokens - units('300'))
    expect(await on.swapping.allowance(usdc, from, allowanceHolder)).toBe(0n)
  })

  test('a token for a token, both ways: to oneself, and to another address', async () => {
    const second = on.devnet.usdt ?? (await otherToken())
    const ways = [
      { sellToken: usdc, buyToken: second, to: from, amount: '10', bought: '9.97' },
      { sellToken: second, buyToken: usdc, to: from, amount: '5', bought: '4.985' },
      { sellToken: usdc, buyToken: second, to: other, amount: '10', bought: '9.97' },
    ]
    for (const { sellToken, buyToken, to, amount, bought } of ways) {
      const [sold, had] = [await on.balance(sellToken, from), await on.balance(buyToken, to)]
      const { statuses } = await on.send(
        await on.prepare({ sellToken, buyToken, sellAmount: units(amount), from, to }),
        key,
      )
      expect(statuses).toEqual(['0x1', '0x1'])
      expect(await on.balance(sellToken, from)).toBe(sold - units(amount))
      expect(await on.balance(buyToken, to)).toBe(had + units(bought))
    }
  })

  /** Base has no USDT: its pool trades another token. */
  async function otherToken(): Promise<string> {
    const { fakeUsdc, pool } = on.devnet
    await on.chain.call('anvil_dealERC20', pool, fakeUsdc, `0x${units('1000').toString(16)}`)
    return fakeUsdc
  }
})
