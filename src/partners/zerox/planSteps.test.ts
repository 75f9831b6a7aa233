import { describe, expect, jest, test } from '@jest/globals'
import type { CallsSpec } from '../../chains/action.ts'
import type { ActionPlan, Shortage } from '../../chains/sending.ts'
import { planSteps } from './planSteps.ts'

const action = (value: bigint): CallsSpec => ({
  kind: 'calls',
  from: '0x1',
  calls: [{ to: '0x2', data: '0x', value, accounts: [] }],
  cosigners: [],
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
const coin = (required: bigint, available: bigint): Shortage => ({
  kind: 'native',
  symbol: 'ETH',
  decimals: 18,
  required,
  available,
})
const token: Shortage = { kind: 'token', symbol: 'USDC', decimals: 6, required: 2n, available: 1n }
const planned = (shortages: Shortage[]): ActionPlan => ({
  terms: {},
  fee: { expected: 1n, max: 1n },
  otherCosts: 0n,
  shortages,
})

/** Plans with these shortages, the first one for the swap at a guessed gas. */
function plans(...shortages: Shortage[][]) {
  const tryAll = jest.fn(async () => [100n, 252_000n])
  const plan =
    jest.fn<(spec: CallsSpec, terms: { before: bigint; simulated: bigint | null }) => Promise<ActionPlan>>()
  for (const each of shortages) plan.mockResolvedValueOnce(planned(each))
  return { tryAll, chain: { plan } }
}

describe('a swap is tried', () => {
  test('where only the guessed gas is too much: its own gas is not', async () => {
    const { chain, tryAll } = plans([coin(150n, 110n)], [])
    const steps = await planSteps(chain, [action(100n)], tryAll)
    expect(steps.map(({ plan }) => plan.shortages)).toEqual([[]])
    expect(tryAll).toHaveBeenCalledTimes(1)
  })

  test('and planned by the gas of its trial run, also where the coin for a guessed gas is short', async () => {
    const { chain, tryAll } = plans([coin(150n, 110n)], [], [])
    await planSteps(chain, [action(0n), action(0n)], tryAll)
    expect(chain.plan.mock.calls.map(([, { simulated }]) => simulated).slice(1)).toEqual([null, 252_000n])
  })
})

describe('a swap is not tried', () => {
  test.each([
    ['a token', token],
    ['the coin', coin(150n, 99n)],
  ])('where the sender lacks %s that it sells', async (_, shortage) => {
    const { chain, tryAll } = plans([shortage], [shortage])
    const [step] = await planSteps(chain, [action(100n)], tryAll)
    expect(step?.plan.shortages).toEqual([shortage])
    expect(tryAll).not.toHaveBeenCalled()
  })

  test('and is not prepared if the sender has it a moment later', async () => {
    const { chain, tryAll } = plans([token], [])
    await expect(planSteps(chain, [action(0n)], tryAll)).rejects.toThrow('while the swap was prepared')
    expect(tryAll).not.toHaveBeenCalled()
  })
})
