import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { FencedError } from '../indexers/cursor.ts'
import { commitPast } from '../indexers/reread.ts'
import { namedInternals } from '../src/chains/internalMovements.ts'
import {
  createIndexed,
  header,
  type Indexed,
  read,
  transfer,
  usdc,
  watched,
} from '../test/support/indexed.ts'
import { down, up } from './0014-internals.ts'

let indexed: Indexed

beforeAll(async () => {
  indexed = await createIndexed()
  await indexed.watch(watched)
  await indexed.reset()
})
afterAll(() => indexed?.database.drop())

test('transfers recorded by position are found when their block is read again, also after a step back, and credited once', async () => {
  const ctx = indexed.context()
  const { db } = indexed.database
  const movement = { contract: null, from: usdc }
  const byPlace = [
    transfer(5n, 'trace:0.1', movement),
    transfer(5n, 'trace:0.10', movement),
    transfer(6n, 'trace:0.2', movement),
  ]
  // Like a rescan, without an epoch: each migration fences off running indexers.
  const { epoch: _, ...past } = ctx
  const again = (transfers: ReturnType<typeof transfer>[]) =>
    commitPast(past, { from: 1, to: 1 }, [read(header(1), transfers)], 'again')
  const byMovement = namedInternals(
    [5n, 6n, 5n].map((amount) => ({
      txId: transfer(1n).txId,
      contract: null,
      from: usdc,
      to: watched,
      amount,
    })),
  )
  await indexed.commit(ctx, [read(header(1), [...byPlace, transfer(7n, 'native', { contract: null })])])

  await up(db)
  await expect(indexed.commit(ctx, [read(header(2))])).rejects.toThrow(FencedError)
  expect((await indexed.statuses()).map(({ key }) => key).sort()).toEqual(
    ['native', ...byMovement.map(({ movementKey }) => movementKey)].sort(),
  )
  expect(await again(byMovement)).toMatchObject({ found: 0, known: 3 })
  await down(db)
  expect(await again(byPlace)).toMatchObject({ found: 0 })
  await up(db)
  expect(await again(byMovement)).toMatchObject({ found: 0 })
  expect(await indexed.statuses()).toHaveLength(4)
})
