import { expect, test } from '@jest/globals'
import { ProviderError } from '../../chains/chain.ts'
import type { StakeOwner, StakeReading } from '../../chains/staking.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { checkAhead } from './checkAhead.ts'

const look: StakeReading = { account: null, slot: 1, epochEndsAt: new Date(), paysRewards: false }
const owner = (id: string): StakeOwner => ({ id, from: 'w' })

/** Stakes that are due in the database, and a chain that counts its calls. */
function worldOf(due: string[], answer: (id: string) => StakeReading | ProviderError = () => look) {
  const calls: string[][] = []
  const query = async (_sql: string, [, except]: unknown[]) =>
    due.filter((id) => !(except as string[]).includes(id)).map(owner)
  const read = checkAhead({ query } as unknown as Queryable, 'solana', {
    look: async (owners) => {
      calls.push(owners.map(({ id }) => id))
      return owners.map(({ id }) => answer(id))
    },
  })
  return { calls, read }
}

test('stakes that jobs request at once, and those that are due next, are read with one call', async () => {
  const { calls, read } = worldOf(['c', 'd'])
  expect(await Promise.all([read(owner('a'), 0), read(owner('b'), 0)])).toEqual([look, look])
  expect(await Promise.all([read(owner('c'), 0), read(owner('d'), 0)])).toEqual([look, look])
  expect(calls).toEqual([['a', 'b', 'c', 'd']])
})

test('an answer that was read ahead is used once', async () => {
  const { calls, read } = worldOf(['c'])
  await read(owner('a'), 0)
  await read(owner('c'), 0)
  await read(owner('c'), 0)
  expect(calls).toEqual([['a', 'c'], ['c']])
})

test('an answer that was read ahead of the block that changed the stake is not used: it is read again', async () => {
  let slot = 7
  const { calls, read } = worldOf(['c', 'd'], () => ({ ...look, slot }))
  await read(owner('a'), 0)
  slot = 8
  expect((await read(owner('c'), 8)).slot).toBe(8)
  expect((await read(owner('d'), 7)).slot).toBe(7)
  expect(calls).toEqual([['a', 'c', 'd'], ['c']])
})

test('an answer on which the nodes disagree fails its stake alone; a chain that does not answer fails all', async () => {
  const disagree = new ProviderError('providers disagree about a stake')
  const { read } = worldOf(['b'], (id) => (id === 'b' ? disagree : look))
  expect(await read(owner('a'), 0)).toBe(look)
  await expect(read(owner('b'), 0)).rejects.toBe(disagree)
  const down = worldOf(['b'], () => {
    throw new ProviderError('is down')
  })
  await expect(down.read(owner('a'), 0)).rejects.toThrow('is down')
  await expect(down.read(owner('b'), 0)).rejects.toThrow('is down')
})
