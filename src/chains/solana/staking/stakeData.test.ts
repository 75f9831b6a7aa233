import { describe, expect, test } from '@jest/globals'
import { never, readStakeData } from './stakeData.ts'

/** Accounts of mainnet, with the reports of nodes about them (`getAccountInfo` with `jsonParsed`). */
const accounts = [
  {
    data: 'AgAAAIDVIgAAAAAAUeLOpIidOn+P5CE01YI9fcxOSS+/rEGZUv14Q3lLyZlR4s6kiJ06f4/kITTVgj19zE5JL7+sQZlS/XhDeUvJmQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFIT0Rz3MY13+nJDD3VdTBfL1ajn9VrNpKTGteUKqvHyTl2hOwAAAAASBAAAAAAAAP//////////AAAAAAAAAADO2AMBAAAAAAAAAAA=',
    owner: '6WecYymEARvjG5ZyqkrVQ6YkhPfujNzWpSPwNKXHCbV2',
    voter: '6XPxXV2VZMNqSquPUF3bjnGt5u8R884A9UVYS6jv8g5f',
    stake: 1_000_430_926n,
    activationEpoch: 1042n,
  },
  {
    data: 'AgAAAIDVIgAAAAAA38SSBHT+SIx7E/Shx/X+7KEWkJ6omw2LpsSD5FCdYiLfxJIEdP5IjHsT9KHH9f7soRaQnqibDYumxIPkUJ1iIgAAAAAAAAAAAAAAAAAAAADfxJIEdP5IjHsT9KHH9f7soRaQnqibDYumxIPkUJ1iIpuVY8wEUsEJOqo7S2X5FIq829PyGliKziw5wjngwbLFg+GYDAAAAACvAwAAAAAAAP//////////AAAAAAAA0D8RFnw1AAAAAAAAAAA=',
    owner: 'G4VmLamEV6h15gndx7nHn8TTcu7fJkBBNVN3wTugMNtH',
    voter: 'BULKEEKf9Hjy4nwCthjzheEk4joH23LLXttAHjqEZmB2',
    stake: 211_345_795n,
    activationEpoch: 943n,
  },
]
const bytes = (data: string) => Buffer.from(data, 'base64')

describe('the data of a stake', () => {
  test.each(accounts)(
    'of mainnet reads as nodes report it: $owner',
    ({ data, owner, voter, stake, activationEpoch }) => {
      const delegation = { voter, stake, activationEpoch, deactivationEpoch: never }
      expect(readStakeData(bytes(data))).toEqual({ staker: owner, withdrawer: owner, delegation })
    },
  )

  test('has no delegation before it is delegated, and is not a stake before it is initialised', () => {
    const [{ data, owner } = { data: '', owner: '' }] = accounts
    const [initialised, uninitialised, pool] = [1, 0, 3].map((kind) => {
      const changed = bytes(data)
      changed.writeUInt32LE(kind)
      return readStakeData(changed)
    })
    expect(initialised).toEqual({ staker: owner, withdrawer: owner, delegation: null })
    expect([uninitialised, pool]).toEqual([null, null])
  })

  test('of another size is not of a stake', () => {
    const [{ data } = { data: '' }] = accounts
    expect(readStakeData(bytes(data).subarray(0, 199))).toBeNull()
    expect(readStakeData(Buffer.alloc(0))).toBeNull()
  })
})
