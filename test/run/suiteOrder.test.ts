import { expect, test } from '@jest/globals'
import SuiteOrder from './suiteOrder.ts'

type Suites = Parameters<SuiteOrder['sort']>[0]

async function sorted(files: readonly string[], ranBefore: Record<string, number> = {}): Promise<string[]> {
  const context = { config: { rootDir: '/cowry', cache: false }, hasteFS: { getSize: () => 1 } }
  const sequencer = new SuiteOrder({} as never)
  Object.assign(sequencer, { time: ({ path }: { path: string }) => ranBefore[path.replace('/cowry/', '')] })
  const suites = files.map((file) => ({ path: `/cowry/${file}`, context })) as unknown as Suites
  return (await sequencer.sort(suites)).map(({ path }) => path.replace('/cowry/', ''))
}

test('a suite that ran before is placed by its duration, others by their area', async () => {
  const files = ['test/e2e/a', 'test/e2e/b', 'test/faults/c', 'test/e2e/d'].map(
    (name) => `${name}.integration.test.ts`,
  )
  const ranBefore = { 'test/e2e/b.integration.test.ts': 30_000, 'test/e2e/d.integration.test.ts': 1000 }
  expect((await sorted(files, ranBefore)).map((file) => file.split('/').at(-1)?.[0])).toEqual([
    'b',
    'c',
    'a',
    'd',
  ])
})

test('suites that wait are spread over those that compute, and are not the last', async () => {
  const waiting = Array.from({ length: 20 }, (_, i) => `test/faults/f${i}.integration.test.ts`)
  const computing = Array.from({ length: 80 }, (_, i) => `src/u${i}.test.ts`)
  const order = await sorted([...waiting, ...computing])
  expect(order.toSorted()).toEqual([...waiting, ...computing].toSorted())
  const places = order.flatMap((file, place) => (file.includes('faults') ? [place] : []))
  const gaps = places.slice(1).map((place, i) => place - (places[i] ?? 0))
  expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([4, 5])
  expect(places.at(-1)).toBeLessThan(85)
})
