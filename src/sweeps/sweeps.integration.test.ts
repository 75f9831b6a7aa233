import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { putMulticall } from '../../test/support/answeringContract.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { multicallAddress } from '../chains/evm/multicall.ts'

/** Sweeps on a node, step by step, with the rights of worker and treasury. */

let sweeping: Sweeping

beforeAll(async () => {
  sweeping = await startSweeping('ethereum')
  await putMulticall(sweeping.devnet.rpcUrl, multicallAddress)
}, 60_000)
afterAll(() => sweeping?.close())

const feesOf = async (): Promise<bigint> => (await sweeping.intents()).reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)

test('every asset of an address reaches the treasury exactly, the address ends empty, and the books have what it cost', async () => {
  const { treasuryAddress, devnet } = sweeping
  for (const token of ['USDC', 'USDT']) await sweeping.enable(token)
  const before = await sweeping.native(treasuryAddress)
  const ether = 10n ** 18n
  const one = await sweeping.deposit({ symbol: 'USDC', amount: 5_000_000n }, { symbol: 'USDT', amount: 7_000_000n }, { symbol: 'ETH', amount: ether })
  const two = await sweeping.deposit({ symbol: 'USDC', amount: 11_000_000n })
  await sweeping.run()
  expect((await sweeping.rows()).map(({ symbol, status }) => [symbol, status]).toSorted()).toEqual([
    ['ETH', 'done'],
    ['USDC', 'done'],
    ['USDC', 'done'],
    ['USDT', 'done'],
  ])
  for (const { address } of [one, two]) {
    expect([await sweeping.tokens(devnet.usdc, address), await sweeping.tokens(devnet.usdt ?? '', address)]).toEqual([0n, 0n])
    expect(await sweeping.native(address)).toBe(0n)
  }
  expect(await sweeping.tokens(devnet.usdc, treasuryAddress)).toBe(16_000_000n)
  expect(await sweeping.tokens(devnet.usdt ?? '', treasuryAddress)).toBe(7_000_000n)
  const costs = await feesOf()
  expect(await sweeping.native(treasuryAddress)).toBe(before + ether - costs)
  expect(await sweeping.books('network_costs', 'ETH')).toBe(costs)
  expect(await sweeping.books('treasury:ethereum', 'ETH')).toBe(ether - costs)
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(16_000_000n)
  for (const symbol of ['USDC', 'USDT', 'ETH']) expect(await sweeping.books('deposits:ethereum', symbol)).toBe(0n)
})
