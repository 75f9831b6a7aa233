import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import {
  becomes,
  db,
  dropNativeWorld,
  follow,
  split,
  staked,
  startNativeWorld,
} from '../test/promises/staking/nativeWorld.ts'
import { createMigrator } from './migrator.ts'

beforeAll(startNativeWorld)
afterAll(dropNativeWorld)

const rows = async () => [
  await db().query('select intent_id, rest_amount::text as amount from stake_moves order by intent_id'),
  await db().query('select id, announced from stakes order by id'),
]

test('what splits of existing native stakes moved follows from their parts, also where a rest was split again', async () => {
  const [id, failed] = [await staked(10n), await staked(10n)]
  const [rest, second] = [newId(), newId()]
  await becomes(await split(id, 6n, rest), 'confirmed')
  await follow()
  await becomes(await split(rest, 2n, second), 'confirmed')
  await follow()
  await becomes(await split(second, 1n), 'expired')
  await becomes(await split(failed, 3n), 'failed')
  await follow()
  await split(failed, 4n)
  const before = await rows()
  expect(before[0]?.map(({ amount }) => amount)).toEqual(['6', '2', '1', '3', '4'])
  expect(before[1]?.map(({ announced }) => announced)).toContain('unstaking')
  const migrator = createMigrator(db())
  await migrator.down({ to: '0197-native-parts' })
  await migrator.up()
  expect(await rows()).toEqual(before)
})
