import { expect, test } from '@jest/globals'
import { createOneByOne } from './oneByOne.ts'

test('work of one key runs one at a time, in the order of the calls, also after a failure; another key does not wait', async () => {
  const oneByOne = createOneByOne()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const all = [
    oneByOne('a', async () => {
      order.push('a1 begins')
      await first.promise
      order.push('a1 ends')
      throw new Error('a1')
    }),
    oneByOne('a', async () => order.push('a2')),
    oneByOne('a', async () => order.push('a3')),
  ]
  const settled = Promise.allSettled(all)
  await oneByOne('b', async () => order.push('b'))
  first.resolve()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await oneByOne('a', async () => 'again')).toBe('again')
  expect(order).toEqual(['a1 begins', 'b', 'a1 ends', 'a2', 'a3'])
})
