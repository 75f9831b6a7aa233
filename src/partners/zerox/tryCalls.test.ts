import { expect, test } from '@jest/globals'
import type { Call } from '../../chains/action.ts'
import { ActionRefusedError } from '../../chains/sending.ts'
import { type EvmSwapping, NoTrialRunError, type TrialResult } from '../../chains/swapping.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import { asTrialFailure, tryCalls } from './tryCalls.ts'

const question = {
  network: '1',
  sellToken: coinPlaceholder,
  buyToken: '0x3',
  sellAmount: 1n,
  slippageBps: 50,
  from: '0x1',
  to: '0x1',
}
const call: Call = { to: '0x2', data: '0x', value: 1n, accounts: [] }
const failing = (reason: string, data = '0x'): TrialResult => ({
  calls: [{ failure: { reason, data }, gasUsed: 1n, movements: [], approvals: [] }],
  changes: [],
})
const tried = (result: TrialResult | null, failure: string | null, calls = [call]) =>
  tryCalls(
    { simulate: async () => result, failureOf: async () => failure } as unknown as EvmSwapping,
    question,
    calls,
  )

const selector = '0x97a6f3b9'
const moved = { problem: 'price_moved' }
const fails = { reason: 'simulation_failed' }

test.each<[string, Promise<unknown>, object]>([
  ['of all, by its data', tried(failing('execution reverted', `${selector}00`), null), moved],
  ['of all, by its reason', tried(failing(`custom error ${selector}`), null), moved],
  ['of one call', tried(null, `execution reverted: custom error ${selector}`), moved],
  ['of all, for another reason', tried(failing('paused'), null), fails],
  ['of one call, for another reason', tried(null, 'paused'), fails],
])('a trial run %s fails', async (_, run, expected) => {
  await expect(run).rejects.toMatchObject(expected)
})

test('an estimate of gas fails as a trial run does', () => {
  const estimated = (text: string) =>
    asTrialFailure(new ActionRefusedError('simulation_failed', `The call would fail: ${text}`))
  expect(estimated(`custom error ${selector.toUpperCase()}`.replace('0X', '0x'))).toMatchObject(moved)
  expect(estimated('paused')).toMatchObject(fails)
})

test('several calls need a node that can try them', async () => {
  await expect(tried(null, null, [call, call])).rejects.toThrow(NoTrialRunError)
  expect(await tried(null, null)).toBeNull()
})
