import { expect, test } from '@jest/globals'
import { ProviderError } from '../chains/chain.ts'
import type { StakeLook, StakeOwner } from '../chains/staking.ts'
import type { Queryable } from '../platform/db.ts'
import { lookAhead } from './lookAhead.ts'

const look: StakeLook = { account: null, slot: 1, epochEndsAt: new Date(), paysRewards: false }
const owner = (id: string): StakeOwner => ({ id, from: 'w' })

/** Stakes that are due in the database, and a chain that counts its calls. */
function worldOf(due: string[], answer: (id: string) => StakeLook | ProviderError = () => look) {
  const calls: string[][] = []
  const query = async (_sql: string, [, except]: unknown[]) => due.filter((id) => !(except as string[]).includes(id)).map(owner)
  const read = lookAhead({ query } as unknown as Queryable, 'solana', {
    look: async (owners) => {
      calls.push(owners.map(({ id }) => id))
      return owners.map(({ id }) => answer(id))
    },
  })
  return { calls, read }
}

test('stakes that jobs ask for at once, and those that are due next, are read with one call', async () => {
  const { calls, read } = worldOf(['c', 'd'])
  expect(await Promise.all([read(owner('a')), read(owner('b'))])).toEqual([look, look])
  expect(await Promise.all([read(owner('c')), read(owner('d'))])).toEqual([look, look])
  expect(calls).toEqual([['a', 'b', 'c', 'd']])
})

test('an answer that was read ahead is used once', async () => {
  const { calls, read } = worldOf(['c'])
  await read(owner('a'))
  await read(owner('c'))
  await read(owner('c'))
  expect(calls).toEqual([['a', 'c'], ['c']])
})

test('an answer on which the nodes disagree fails its stake alone; a chain that does not answer fails all', async () => {
  const disagree = new ProviderError('providers disagree about a stake')
  const { read } = worldOf(['b'], (id) => (id === 'b' ? disagree : look))
  expect(await read(owner('a'))).toBe(look)
  await expect(read(owner('b'))).rejects.toBe(disagree)
  const down = worldOf(['b'], () => {
    throw new ProviderError('is down')
  })
  await expect(down.read(owner('a'))).rejects.toThrow('is down')
  await expect(down.read(owner('b'))).rejects.toThrow('is down')
})
