import { expect, test } from '@jest/globals'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { RpcError } from '../../providers/jsonRpcAnswers.ts'
import type { Gate } from '../../providers/providers.ts'
import { createProviders } from '../../providers/providers.ts'
import { knownChain } from '../../registry.ts'
import type { BalanceReader } from '../../sending.ts'
import { evmSwapping } from './swapping.ts'

const chain = knownChain('ethereum')
if (!chain) throw new Error('no ethereum')

const lacks = () => new RpcError('node', -32601, 'the method eth_simulateV1 does not exist')
const fails = () => new ProviderError('node: timeout')
/** Runs no calls, and traces the coin. */
const from = `0x${'c0'.repeat(20)}`
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const traced = {
  address: `0x${'ee'.repeat(20)}`,
  topics: [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    word(from.slice(2)),
    word('c1'.repeat(20)),
  ],
  data: word('1'),
}
const able = [{ calls: [{ status: '0x1', returnData: '0x', gasUsed: '0x5208', logs: [traced] }] }]

/** @param answers of each node in turn */
function swappingBy(...answers: (() => unknown)[]) {
  const open = answers.map((answer, index) => (gate: Gate) => {
    const call = () =>
      gate('eth_simulateV1', async () => {
        const answered = answer()
        if (answered instanceof Error) throw answered
        return answered
      })
    return { name: `node${index}`, call, callMany: call, close: async () => {} } as unknown as JsonRpc
  })
  const providers = createProviders<JsonRpc>(open, { observe: { called: () => {}, refused: () => {} } })
  return evmSwapping({ providers, chain: chain as NonNullable<typeof chain>, balances: {} as BalanceReader })
}
const run = { from: '0x1', calls: [], watched: [] }

test('calls are tried by a node that can, although another cannot', async () => {
  expect(await swappingBy(lacks, () => able).simulate(run)).toEqual({ calls: [], changes: [] })
})

test('no node can try calls where each reports that it cannot', async () => {
  expect(await swappingBy(lacks, lacks).simulate(run)).toBeNull()
})

test.each([
  ['the first fails', [fails, lacks]],
  ['the last fails', [lacks, fails]],
])('where %s, it may be one that can', async (_, nodes) => {
  await expect(swappingBy(...nodes).simulate(run)).rejects.toThrow(
    'no provider that may try several calls answered',
  )
})

test('a node that rests after failures may be one that can', async () => {
  const swapping = swappingBy(lacks, fails)
  for (let times = 0; times < 12; times++) await expect(swapping.simulate(run)).rejects.toThrow(ProviderError)
})
