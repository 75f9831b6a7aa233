import { expect, test } from '@jest/globals'
import LongestFirst from './longestFirst.ts'

type Suites = Parameters<LongestFirst['sort']>[0]

test('a suite that ran before is placed by its duration, another by its area', async () => {
  const context = { config: { rootDir: '/cowry', cache: false }, hasteFS: { getSize: () => 1 } }
  const suites = ['src/a.test.ts', 'test/e2e/b.integration.test.ts', 'src/c.integration.test.ts', 'test/faults/d.integration.test.ts'].map(
    (file) => ({
      path: `/cowry/${file}`,
      context,
    }),
  )
  const sequencer = new LongestFirst({} as never)
  Object.assign(sequencer, { time: ({ path }: { path: string }) => (path.endsWith('c.integration.test.ts') ? 18_000 : undefined) })
  const sorted = await sequencer.sort(suites as unknown as Suites)
  expect(sorted.map(({ path }) => path.replace('/cowry/', ''))).toEqual([
    'test/faults/d.integration.test.ts',
    'src/c.integration.test.ts',
    'test/e2e/b.integration.test.ts',
    'src/a.test.ts',
  ])
})
