import { expect, jest, test } from '@jest/globals'
import { ProviderError } from '../chains/chain.ts'
import { createRemembered } from '../chains/providers/remembered.ts'
import { knownChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import { readDecimals } from './readDecimals.ts'
import type { SwapToken } from './readSwap.ts'

const known = knownChain('polygon')
if (!known) throw new Error('no polygon')
const chain = known
const contractOf = (symbol: string) => chain.tokens.find((each) => each.symbol === symbol)?.contract ?? ''
const token = (contract: string): SwapToken => ({ field: 'sellToken', token: contract, isCoin: false })
const other = `0x${'12'.repeat(20)}`

/** @param read decimals by the nodes of the chain */
function reading(read: (contracts: readonly string[]) => (number | null)[]) {
  const decimals = jest.fn(async (contracts: readonly string[]) => read(contracts))
  const balances = { decimals } as unknown as BalanceReader
  return { decimals, ctx: { accounts: async () => ({ balances }), decimals: createRemembered<number>(10) } }
}

test('decimals of registered tokens, their lookalikes and the coin are those of the registry: no node is read', async () => {
  const { ctx, decimals } = reading((contracts) => contracts.map(() => 9))
  const sides = [
    token(contractOf('USDC')),
    token(chain.lookalikes[0]?.contract ?? ''),
    { ...token('native'), isCoin: true },
  ]
  expect(await readDecimals(ctx, chain, sides)).toEqual([6, 6, 18])
  expect(decimals).not.toHaveBeenCalled()
})

test('those of other tokens are those on which nodes agree, read once', async () => {
  const { ctx, decimals } = reading((contracts) => contracts.map(() => 9))
  for (const _ of [1, 2])
    expect(await readDecimals(ctx, chain, [token(contractOf('USDC')), token(other)])).toEqual([6, 9])
  expect(decimals.mock.calls).toEqual([[[other]]])
})

test('a contract that is not a token is named, and read again', async () => {
  const { ctx, decimals } = reading(() => [null])
  for (const _ of [1, 2])
    await expect(readDecimals(ctx, chain, [token(other)])).rejects.toMatchObject({
      status: 422,
      error: 'token_not_supported',
    })
  expect(decimals).toHaveBeenCalledTimes(2)
})

test('while nodes do not agree, nothing is read by their decimals', async () => {
  const { ctx } = reading(() => {
    throw new ProviderError('providers disagree about the decimals of a token')
  })
  await expect(readDecimals(ctx, chain, [token(other)])).rejects.toMatchObject({
    status: 503,
    error: 'chain_unavailable',
  })
})
