import { expect, test } from '@jest/globals'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { recentBlockhash } from './latestBlockhash.ts'

const newest = 5000
const blockhash = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
const nodeAt = (lastValidBlockHeight: number) =>
  ({
    name: 'a',
    call: async () => ({ context: { slot: 1 }, value: { blockhash, lastValidBlockHeight } }),
  }) as unknown as JsonRpc

test.each([-50, 0, 50])(
  'the blockhash of a node %i blocks from what blocks prove is taken, and is never valid for less',
  async (ahead) => {
    const recent = await recentBlockhash(nodeAt(newest + ahead), newest)
    expect(recent).toEqual({ blockhash, lastValidBlockHeight: BigInt(Math.max(newest, newest + ahead)) })
  },
)

test.each([
  [51, 'a is 51 blocks ahead of what blocks prove'],
  [-51, 'a is 51 blocks behind'],
])('one that is %i blocks away is refused', async (ahead, message) => {
  const asked = recentBlockhash(nodeAt(newest + ahead), newest)
  await expect(asked).rejects.toThrow(ProviderError)
  await expect(asked).rejects.toThrow(message)
})
