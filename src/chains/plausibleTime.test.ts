import { expect, test } from '@jest/globals'
import { ProviderError } from './chain.ts'
import { requirePlausibleTime } from './plausibleTime.ts'
import { createProviders } from './providers/providers.ts'

const day = 86_400_000
/** Reads the first node's time, which differs from this machine's by so much; `null`: a node is down. */
async function askedOf(...offsets: (number | null)[]) {
  const nodes = offsets.map((offset, index) => ({ name: `node ${index}`, offset, close: async () => {} }))
  const providers = createProviders(
    nodes.map((node) => () => node),
    { observe: { called: () => {}, refused: () => {} } },
  )
  const timeOf = async ({ name, offset }: { name: string; offset: number | null }) => {
    if (offset === null) throw new ProviderError(`${name} is down`)
    return Date.now() + offset
  }
  const [first] = nodes as [(typeof nodes)[number]]
  const error = await requirePlausibleTime(providers, first, await timeOf(first), timeOf).then(
    () => null,
    (thrown: Error) => thrown.message,
  )
  const doubted = providers.states().flatMap(({ name, open }) => (open ? [name] : []))
  await providers.close()
  return { error, doubted }
}

const passes = { error: null, doubted: [] }

test('a time near our clock passes, and no other node is read', async () => {
  expect(await askedOf(590_000, -day)).toEqual(passes)
  expect(await askedOf(-590_000, day)).toEqual(passes)
})

test.each([day, -day])(
  'a time %d ms from our clock that others contradict is refused, and that node alone is doubted',
  async (offset) => {
    const refused = { error: expect.stringContaining('node 0 reports the time'), doubted: ['node 0'] }
    expect(await askedOf(offset, 0)).toEqual(refused)
    expect(await askedOf(offset, null, 100_000)).toEqual(refused)
  },
)

test('a time that another node agrees with passes: our clock may be wrong', async () => {
  expect(await askedOf(day, day + 60_000)).toEqual(passes)
  expect(await askedOf(day, 0, day)).toEqual(passes)
})

test('one node is trusted, also where no other one answers', async () => {
  expect(await askedOf(day)).toEqual(passes)
  expect((await askedOf(day, null)).error).toBeNull()
})
