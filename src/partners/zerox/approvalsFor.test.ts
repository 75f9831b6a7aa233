import { expect, test } from '@jest/globals'
import type { EvmSwapping } from '../../chains/swapping.ts'
import { approvalsFor } from './approvalsFor.ts'

/** Approvals as the amounts that they set. */
async function approved(
  allowed: bigint,
  promised: bigint | undefined,
  fromZeroOnly = false,
): Promise<string[]> {
  const chain = {
    allowance: async () => allowed,
    approval: (_token: string, _spender: string, amount: bigint) => ({
      to: '0x2',
      data: String(amount),
      value: 0n,
      accounts: [],
    }),
    failureOf: async () => (fromZeroOnly && allowed > 0n ? 'not from zero' : null),
  } as unknown as EvmSwapping
  const question = {
    network: '1',
    sellToken: '0x2',
    buyToken: '0x3',
    sellAmount: 100n,
    slippageBps: 50,
    from: '0x1',
    to: '0x1',
  }
  const calls = await approvalsFor(chain, { ...question, ...(promised !== undefined && { promised }) })
  return calls.map(({ data }) => data)
}

test.each<[string, bigint, bigint | undefined, string[]]>([
  ['nothing is allowed', 0n, undefined, ['100']],
  ['enough is allowed', 100n, 0n, []],
  ['enough is left after the swaps under way', 200n, 100n, []],
  ['a swap under way uses all that is allowed', 100n, 100n, ['100']],
  ['swaps under way use a part of what is needed', 199n, 100n, ['100']],
])('approvals where %s', async (_, allowed, promised, expected) => {
  expect(await approved(allowed, promised)).toEqual(expected)
})

test('approvals of a token that changes an allowance only from zero', async () => {
  expect(await approved(99n, 0n, true)).toEqual(['0', '100'])
})
