import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { ApiError } from '../../src/platform/errors.ts'
import type { QuoteSource } from '../../src/platform/quoteSource.ts'
import { pause } from '../../src/platform/wait.ts'
import { createSharedQuotes, type Newest } from './sharedQuotes.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function setUp() {
  let answer: () => { version: string; renewAt?: number } = () => ({ version: 'a' })
  let requests = 0
  let requestedFor: string[] = []
  const source: QuoteSource = {
    key: 'one',
    async request({ businesses }) {
      requests++
      requestedFor = [...businesses()]
      const { version, renewAt = Number.POSITIVE_INFINITY } = answer()
      return { version, renewAt, present: () => ({ version }) }
    },
  }
  const failures: unknown[] = []
  const shared = createSharedQuotes({
    everyMs: 1000,
    requested: () => {},
    failed: (cause) => failures.push(cause),
  })
  const join = async (businessId = 'one') => {
    const read: Newest[] = []
    const { newest, leave } = await shared.join(source, businessId, (each) => read.push(each))
    return { newest, read, leave }
  }
  const answers = (next: typeof answer) => {
    answer = next
  }
  return { join, failures, requests: () => requests, requestedFor: () => requestedFor, answers }
}
const quote = (version: string) => ({ message: JSON.stringify({ quote: { version } }) })

test('equal streams are one request a second; only changes are sent; no request is made when all have left', async () => {
  const { join, requests, answers } = setUp()
  const readers = await Promise.all(Array.from({ length: 1000 }, () => join()))
  expect([requests(), readers[999]?.newest]).toEqual([1, quote('a')])
  await jest.advanceTimersByTimeAsync(3000)
  expect([requests(), readers[0]?.read.slice(1)]).toEqual([4, []])
  answers(() => ({ version: 'b' }))
  await jest.advanceTimersByTimeAsync(2000)
  for (const { read } of readers) expect(read.at(-1)).toEqual(quote('b'))
  expect((await join()).newest).toEqual(quote('b'))
  expect(requests()).toBe(6)
})

test('an equal quote is sent again when it has to be renewed', async () => {
  const { join, answers } = setUp()
  answers(() => ({ version: 'a', renewAt: Date.now() + 2500 }))
  const { read, leave } = await join()
  read.length = 0
  await jest.advanceTimersByTimeAsync(2000)
  expect(read).toEqual([])
  await jest.advanceTimersByTimeAsync(1000)
  expect(read).toEqual([quote('a')])
  leave()
})

test('an equal failure is sent again every 30 seconds', async () => {
  const { join, answers } = setUp()
  const { read, leave } = await join()
  read.length = 0
  answers(() => {
    throw new ApiError(503, 'rates_unavailable')
  })
  await jest.advanceTimersByTimeAsync(29_000)
  expect(read).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(30_000)
  expect(read).toMatchObject([
    { failure: { error: 'rates_unavailable' } },
    { failure: { error: 'rates_unavailable' } },
  ])
  leave()
})

test('a failure is sent again while the next request waits', async () => {
  let requests = 0
  const source: QuoteSource = {
    key: 'waiting',
    async request({ signal }) {
      if (requests++ === 0) return { version: 'a', renewAt: Number.POSITIVE_INFINITY, present: () => ({}) }
      // As after a `Retry-After` of a minute.
      if (requests > 2) await pause(60_000, signal)
      throw new ApiError(503, 'partner_unavailable')
    },
  }
  const shared = createSharedQuotes({ everyMs: 1000, requested: () => {}, failed: () => {} })
  const read: Newest[] = []
  const { leave } = await shared.join(source, 'one', (each) => read.push(each))
  read.length = 0
  await jest.advanceTimersByTimeAsync(61_500)
  const failure = { failure: { error: 'partner_unavailable' } }
  expect([requests, read]).toMatchObject([3, [failure, failure, failure]])
  leave()
  await jest.advanceTimersByTimeAsync(90_000)
  expect(read).toHaveLength(3)
})

test('a failure is sent once, and the next quote after it even if it is the last one', async () => {
  const { join, answers, failures } = setUp()
  const { read, leave } = await join()
  read.length = 0
  answers(() => {
    throw new ApiError(503, 'rates_unavailable')
  })
  await jest.advanceTimersByTimeAsync(3000)
  answers(() => ({ version: 'a' }))
  await jest.advanceTimersByTimeAsync(1000)
  expect(read).toMatchObject([{ failure: { error: 'rates_unavailable' } }, quote('a')])
  answers(() => {
    throw new Error('broken')
  })
  await jest.advanceTimersByTimeAsync(3000)
  expect(read.slice(2)).toMatchObject([{ failure: { status: 500 } }])
  expect(failures).toHaveLength(1)
  leave()
})

test('a request is for the businesses that read now', async () => {
  const { join, requestedFor } = setUp()
  const [first] = [await join('first'), await join('second'), await join('second')]
  await jest.advanceTimersByTimeAsync(1000)
  expect(requestedFor()).toEqual(['first', 'second'])
  first?.leave()
  await jest.advanceTimersByTimeAsync(1000)
  expect(requestedFor()).toEqual(['second'])
})

test('the last reader that leaves ends the requests', async () => {
  const { join, requests } = setUp()
  const [one, two] = [await join(), await join()]
  one.leave()
  await jest.advanceTimersByTimeAsync(1000)
  two.leave()
  two.leave()
  const before = requests()
  await jest.advanceTimersByTimeAsync(5000)
  expect(requests()).toBe(before)
  ;(await join()).leave()
  expect(requests()).toBe(before + 1)
})

test('a request that goes on when the last reader leaves is given up, and is no failure', async () => {
  const failures: unknown[] = []
  const counted: string[] = []
  const shared = createSharedQuotes({
    everyMs: 1000,
    requested: (outcome) => counted.push(outcome),
    failed: (cause) => failures.push(cause),
  })
  let requests = 0
  const source: QuoteSource = {
    key: 'slow',
    request({ signal }) {
      if (requests++ === 0)
        return Promise.resolve({ version: 'a', renewAt: Number.POSITIVE_INFINITY, present: () => ({}) })
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('given up'))),
      )
    },
  }
  const { leave } = await shared.join(source, 'one', () => {})
  await jest.advanceTimersByTimeAsync(1000)
  leave()
  await jest.advanceTimersByTimeAsync(5000)
  expect([requests, failures, counted]).toEqual([2, [], ['answered']])
})
