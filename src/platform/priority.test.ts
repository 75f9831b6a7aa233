import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createPriority } from './priority.ts'

test('background work runs at once before the first request', async () => {
  const { turn } = createPriority(() => {
    throw new Error('the clock is not read')
  })
  expect(await turn()).toBe(0)
})

test('background work waits until no request is under way', async () => {
  const priority = createPriority()
  const [first, second] = [priority.begin(), priority.begin()]
  const order: string[] = []
  const waiting = priority.turn().then(() => order.push('background'))
  for (const end of [first, second]) {
    order.push('request')
    end()
  }
  await waiting
  expect(order).toEqual(['request', 'request', 'background'])
})

test('a request that ends twice counts once', async () => {
  const priority = createPriority()
  const [end, other] = [priority.begin(), priority.begin()]
  end()
  end()
  let ran = false
  const waiting = priority.turn().then(() => {
    ran = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(ran).toBe(false)
  other()
  await waiting
})

test('background work of another thread waits for the same requests', async () => {
  const priority = createPriority()
  const ofThread = createPriority(undefined, priority.memory)
  const end = priority.begin()
  const waited = ofThread.turn()
  setTimeout(end, 2)
  expect(await waited).toBeGreaterThan(1)
  const order: string[] = []
  const [endFirst, endSecond] = [priority.begin(), priority.begin()]
  const turn = ofThread.turn().then(() => order.push('background'))
  for (const each of [endFirst, endSecond]) {
    order.push('request')
    each()
  }
  await turn
  expect(order).toEqual(['request', 'request', 'background'])
})

test('background work continues under requests that never end', async () => {
  const priority = createPriority()
  priority.begin()
  const waited = [await priority.turn(), await priority.turn(), await priority.turn()]
  for (const each of waited) expect(each).toBeGreaterThan(8)
})

test('between two pieces of background work the event loop handles new arrivals', async () => {
  const priority = createPriority()
  priority.begin()()
  const order: string[] = []
  const pieces = [1, 2, 3].map((piece) => priority.turn().then(() => void order.push(`piece ${piece}`)))
  const arrivals = (async () => {
    for (let arrival = 1; arrival <= 3; arrival++) {
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`arrival ${arrival}`)
    }
  })()
  await Promise.all([...pieces, arrivals])
  expect(
    order.filter(
      (each, index) => index > 0 && each.startsWith('piece') && order[index - 1]?.startsWith('piece'),
    ),
  ).toEqual([])
})

test('every turn comes, in its order, for any sequence of requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('begin', 'end', 'turn'), { maxLength: 30 }), async (steps) => {
      const priority = createPriority()
      const open: (() => void)[] = []
      const order: number[] = []
      const turns: Promise<unknown>[] = []
      for (const step of steps) {
        if (step === 'begin') open.push(priority.begin())
        else if (step === 'end') open.pop()?.()
        else {
          const place = turns.length
          turns.push(priority.turn().then(() => order.push(place)))
        }
      }
      for (const end of open) end()
      await Promise.all(turns)
      expect(order).toEqual([...order].sort((a, b) => a - b))
      expect(order).toHaveLength(turns.length)
    }),
    { numRuns: 100 },
  )
})
