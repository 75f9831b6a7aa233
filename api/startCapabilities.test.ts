import { expect, test } from '@jest/globals'
import type { ApiStart, Capability } from '../src/capability.ts'
import { type BroughtContext, broughtParts } from '../src/routeContext.ts'
import { startCapabilities } from './startCapabilities.ts'

const ctx = {} as ApiStart
type Part = keyof BroughtContext
const parts = Object.keys(broughtParts) as Part[]
const bringing = (name: string, ...brought: Part[]): Pick<Capability, 'name' | 'startApi'> => ({
  name,
  startApi: async () => Object.fromEntries(brought.map((part) => [part, name])),
})

test('what capabilities bring is joined, whichever brings it', async () => {
  const [first = 'txmgr', ...others] = parts
  const joined = await startCapabilities(ctx, [
    bringing('one', first),
    { name: 'two' },
    bringing('three', ...others),
  ])
  expect(Object.keys(joined).toSorted()).toEqual(parts.toSorted())
  expect([joined[first], joined[others[0] ?? first]]).toEqual(['one', 'three'])
})

test('a part that no capability brings is refused by name', async () => {
  const start = startCapabilities(ctx, [bringing('one', ...parts.filter((part) => part !== 'mailing'))])
  await expect(start).rejects.toThrow('no capability brings mailing to the api')
})

test('a part that two capabilities bring is refused with the name of the second', async () => {
  const start = startCapabilities(ctx, [bringing('one', ...parts), bringing('two', 'txmgr')])
  await expect(start).rejects.toThrow('two capabilities bring txmgr to the api; the second is two')
})
