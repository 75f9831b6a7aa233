import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, numberToHex, parseAbi, parseUnits } from 'viem'
import { allowanceHolder } from '../../../test/devnets/evm.ts'
import { addressOf, keyOf } from '../../../test/support/evmIntents.ts'
import { openZeroX, type ZeroXOnDevnet } from '../../../test/support/zeroXSwapping.ts'
import type { EvmSwapping } from '../../chains/swapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'

/** What a swap allows, what it leaves allowed, and swaps that the chain would not carry out. */

const key = keyOf(411)
const from = addressOf(key)
const units = (whole: string) => parseUnits(whole, 6)
const setMoved = (bps: bigint) =>
  encodeFunctionData({ abi: parseAbi(['function setMoved(uint256)']), args: [bps] })

let on: ZeroXOnDevnet
let usdc: string
let usdt: string
beforeAll(async () => {
  on = await openZeroX('ethereum')
  usdc = on.devnet.usdc
  usdt = on.devnet.usdt ?? ''
  await on.chain.fund(from, 10n ** 20n)
  for (const token of [usdc, usdt])
    await on.chain.call('anvil_dealERC20', from, token, numberToHex(units('1000')))
})
afterAll(() => on.close())
afterEach(() => {
  Object.assign(on.zeroX, { lie: null, reroute: null })
})

const sell = (sellToken: string, amount: string, by?: EvmSwapping) =>
  on.prepare(
    { sellToken, buyToken: sellToken === usdc ? usdt : usdc, sellAmount: units(amount), from, to: from },
    by,
  )
const left = (token: string) => on.swapping.allowance(token, from, allowanceHolder)
const move = (bps: bigint) => byFaucet(on.devnet.pool, setMoved(bps))

/** A transaction of anvil's own account, in a block of its own. */
async function byFaucet(to: string, data: string) {
  const [faucet] = (await on.chain.call('eth_accounts')) as string[]
  await on.chain.call('eth_sendTransaction', { from: faucet, to, data })
  await on.chain.mine()
}

describe.each(['USDC', 'USDT'])('%s', (symbol) => {
  const token = () => (symbol === 'USDC' ? usdc : usdt)

  test('a swap whose price has moved fails on the chain; what it allowed is exact, and the next swap uses it', async () => {
    const prepared = await sell(token(), '100')
    expect(prepared.steps).toHaveLength(2)
    const had = await on.balance(token(), from)
    await move(60n)
    const { statuses } = await on.send(prepared, key)
    expect(statuses).toEqual(['0x1', '0x0'])
    expect(await on.balance(token(), from)).toBe(had)
    expect(await left(token())).toBe(units('100'))
    await move(0n)
    const next = await sell(token(), '60')
    expect(next.steps.map(({ purpose }) => purpose)).toEqual(['swap'])
    await on.send(next, key)
    expect(await left(token())).toBe(units('40'))
  })

  test('an allowance that is too small is replaced by the exact one, by way of zero where the token wants it', async () => {
    expect(await left(token())).toBe(units('40'))
    const prepared = await sell(token(), '50')
    expect(prepared.steps).toHaveLength(symbol === 'USDC' ? 2 : 3)
    const { statuses } = await on.send(prepared, key)
    expect(new Set(statuses)).toEqual(new Set(['0x1']))
    expect(await left(token())).toBe(0n)
  })
})

test('a price that has moved before the trial run is no swap', async () => {
  await move(51n)
  await expect(sell(usdc, '10')).rejects.toMatchObject({ problem: 'price_moved' })
  await move(50n)
  expect((await sell(usdc, '10')).minBuyAmount).toBe(9_920_150n)
  await move(0n)
})

test('a sender that lacks the token or the coin is reported by the plan, before anything is tried', async () => {
  const poor = addressOf(keyOf(412))
  const lacking = await on.prepare({
    sellToken: usdc,
    buyToken: usdt,
    sellAmount: units('1'),
    from: poor,
    to: poor,
  })
  const kinds = lacking.steps.flatMap(({ plan }) => plan.shortages.map(({ kind }) => kind))
  expect(new Set(kinds)).toEqual(new Set(['native', 'token']))
  const coins = await on.prepare({
    sellToken: coin,
    buyToken: usdt,
    sellAmount: 10n ** 18n,
    from: poor,
    to: poor,
  })
  expect(coins.steps[0]?.plan.shortages).toMatchObject([{ kind: 'native' }])
})

test('the coin must pay for all steps together', async () => {
  const sender = addressOf(keyOf(413))
  const ask = () =>
    on.prepare({ sellToken: usdc, buyToken: usdt, sellAmount: units('10'), from: sender, to: sender })
  await on.chain.call('anvil_dealERC20', sender, usdc, numberToHex(units('10')))
  await on.chain.fund(sender, 10n ** 18n)
  const all = (await ask()).steps.reduce((sum, { plan }) => sum + plan.fee.max, 0n)
  await on.chain.fund(sender, all)
  expect((await ask()).steps.flatMap(({ plan }) => plan.shortages)).toEqual([])
  await on.chain.fund(sender, all - 1n)
  const { steps } = await ask()
  expect(steps[0]?.plan.shortages).toEqual([])
  expect(steps[1]?.plan.shortages).toMatchObject([{ kind: 'native', required: all }])
})

test('a sender with the coin for the real gas, and less than for a guess, is served by a trial run', async () => {
  const sender = addressOf(keyOf(414))
  const ask = (by?: EvmSwapping) =>
    on.prepare({ sellToken: coin, buyToken: usdc, sellAmount: 10n ** 18n, from: sender, to: sender }, by)
  await on.chain.fund(sender, 10n ** 19n)
  const max = (await ask()).steps[0]?.plan.fee.max ?? 0n
  await on.chain.fund(sender, 10n ** 18n + max)
  let trials = 0
  const counted = on.swappingBy((method, _params, truth) => {
    if (method === 'eth_simulateV1') trials++
    return truth()
  })
  expect((await ask(counted)).steps[0]?.plan.shortages).toEqual([])
  expect(trials).toBe(1)
  await on.chain.fund(sender, 10n ** 18n)
  expect((await ask()).steps[0]?.plan.shortages).toMatchObject([{ kind: 'native' }])
})

describe('a token that keeps a part of each transfer is no token to swap:', () => {
  test('as its contract defines', async () => {
    const fee = (rate: bigint) =>
      byFaucet(
        usdt,
        encodeFunctionData({ abi: parseAbi(['function setParams(uint256,uint256)']), args: [rate, 10n] }),
      )
    await fee(10n)
    await expect(sell(usdc, '10')).rejects.toMatchObject({ problem: 'token_not_supported' })
    await expect(sell(usdt, '10')).rejects.toMatchObject({ problem: 'token_not_supported' })
    await fee(0n)
  })
  test('and so is an address without a token', async () => {
    const by = {
      ...on.swapping,
      token: async (contract: string) => (contract === usdt ? null : on.swapping.token(contract)),
    }
    await expect(sell(usdc, '10', by)).rejects.toMatchObject({ problem: 'token_not_supported' })
    await expect(sell(usdt, '10', by)).rejects.toMatchObject({ problem: 'token_not_supported' })
  })
  test.each(['buyTaxBps', 'transferTaxBps'])('as 0x reports by %s', async (name) => {
    on.zeroX.lie = (answer) => ({ ...answer, tokenMetadata: { buyToken: { [name]: '3' }, sellToken: {} } })
    await expect(sell(usdc, '10')).rejects.toMatchObject({ problem: 'token_not_supported' })
  })
})

describe('a node', () => {
  const without = (method: string) =>
    on.swappingBy(async (asked, _params, truth) => {
      if (asked !== method) return truth()
      const { RpcError } = await import('../../chains/providers/jsonRpcAnswers.ts')
      throw new RpcError('node', -32601, 'the method eth_simulateV1 does not exist')
    })
  const untraced = () =>
    on.swappingBy((method, params, truth) => {
      if (method === 'eth_simulateV1') (params[0] as Record<string, unknown>).traceTransfers = false
      return truth()
    })

  test.each([
    ['without eth_simulateV1', () => without('eth_simulateV1')],
    ['that does not trace the coin', untraced],
  ])('%s serves swaps of one call, by eth_call, and no others', async (_, by) => {
    const oneCall = { sellToken: coin, buyToken: usdc, sellAmount: 10n ** 18n, from, to: from }
    expect((await on.prepare(oneCall, by())).steps).toHaveLength(1)
    await expect(sell(usdc, '10', by())).rejects.toThrow('no node can try several calls')
    await move(51n)
    await expect(on.prepare(oneCall, by())).rejects.toMatchObject({ problem: 'price_moved' })
    await move(0n)
  })

  test('that answers another number of calls is refused', async () => {
    const by = on.swappingBy(async (method, _params, truth) =>
      method === 'eth_simulateV1' ? [{ calls: [] }] : truth(),
    )
    await expect(sell(usdc, '10', by)).rejects.toThrow('another number of calls')
  })
})
