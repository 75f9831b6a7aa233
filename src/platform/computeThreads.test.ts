import { afterEach, expect, test } from '@jest/globals'
import {
  type Computed,
  dying,
  failing,
  failingInThread,
  outgrowing,
  reversing,
} from '../../test/support/computations.ts'
import { type Computation, type ComputeThreads, createComputeThreads } from './computeThreads.ts'
import { pause } from './wait.ts'

let threads: ComputeThreads
let failures: string[] = []
afterEach(() => {
  threads.close()
  failures = []
})

function open(options: { count?: number; idleMs?: number; retryMs?: number } = {}): void {
  threads = createComputeThreads({ count: 2, failed: (why) => void failures.push(why), ...options })
}

const textOf = (index: number) => `job ${index}`
const reversed = (index: number) => [...textOf(index)].reverse().join('')

/** Runs that many jobs at once, each in two chunks. @returns the threads that did them, in order */
async function runMany<Args extends readonly unknown[]>(
  count: number,
  computation: Computation<Args, Computed>,
  ...args: Args
): Promise<number[]> {
  const chunks = (index: number) => [
    Buffer.from(textOf(index).slice(0, 2)),
    Buffer.from(textOf(index).slice(2)),
  ]
  const all = await Promise.all(
    Array.from({ length: count }, (_, index) => threads.run(computation, chunks(index), ...args)),
  )
  expect(all.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
    all.map((_, index) => reversed(index)),
  )
  return all.map(({ thread }) => thread)
}

/**
 * Runs sixty jobs until each thread and the main one did enough of them: a busy machine may keep a thread
 * from running for a while.
 */
async function runShared(each: number): Promise<number[]> {
  for (let tries = 0; ; tries++) {
    const by = await runMany(60, reversing, 2)
    const counts = Map.groupBy(by, (thread) => thread)
    if (tries === 50 || (counts.size === 3 && [...counts.values()].every(({ length }) => length > each)))
      return by
  }
}

/** Enough jobs that the threads are started. */
const startThreads = async () => {
  for (let tries = 0; new Set(await runMany(20, reversing, 2)).size < 3; tries++)
    if (tries > 200) throw new Error('no thread takes part')
}

test('a few jobs start no thread', async () => {
  open()
  expect(new Set(await runMany(16, reversing, 1))).toEqual(new Set([0]))
})

test('many jobs are shared between the threads and the main one, which is not blocked', async () => {
  open()
  await startThreads()
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const by = await runShared(5)
  clearInterval(counting)
  expect(new Set(by).size).toBe(3)
  // Each does a third, and a thread may be late.
  for (const thread of new Set(by)) expect(by.filter((each) => each === thread).length).toBeGreaterThan(5)
  expect(turns).toBeGreaterThan(5)
  expect(failures).toEqual([])
})

test('without threads all is done in the main one', async () => {
  open({ count: 0 })
  expect(new Set(await runMany(60, reversing, 1))).toEqual(new Set([0]))
})

test('long jobs are done in the main thread', async () => {
  open()
  await startThreads()
  const long = await Promise.all(
    Array.from({ length: 6 }, () => threads.run(reversing, [new Uint8Array((8 << 20) + 1)], 0)),
  )
  expect(new Set(long.map(({ thread }) => thread))).toEqual(new Set([0]))
})

test('what waits is bounded: the main thread does the rest at once', async () => {
  open()
  await startThreads()
  const bytes = new Uint8Array(4 << 20)
  const answers = Array.from({ length: 20 }, () => threads.run(reversing, [bytes], 1))
  // Four are with the threads, and eight fill what may wait.
  expect(answers.filter((each) => !(each instanceof Promise))).toHaveLength(8)
  expect((await Promise.all(answers)).every((each) => each.bytes.length === bytes.length)).toBe(true)
})

test.each<[string, Computation<[], Computed>, RegExp]>([
  ['ends', dying, /^it has ended$/],
  ['runs out of memory', outgrowing, /memory/],
])('the main thread does what a thread that %s had to do', async (_, computation, why) => {
  open({ count: 1 })
  for (let tries = 0; failures.length === 0 && tries < 200; tries++)
    expect(new Set(await runMany(20, computation))).toEqual(new Set([0]))
  expect(failures).toEqual([expect.stringMatching(why)])
  // No other is started soon.
  expect(new Set(await runMany(40, reversing, 1))).toEqual(new Set([0]))
})

test('a thread is started again some time after one ended', async () => {
  open({ count: 1, retryMs: 1 })
  for (let tries = 0; failures.length === 0 && tries < 200; tries++) await runMany(20, dying)
  for (let tries = 0; new Set(await runMany(20, reversing, 2)).size < 2; tries++)
    expect(tries).toBeLessThan(200)
})

test('the main thread does a job that failed in a thread, which goes on', async () => {
  open()
  await startThreads()
  expect(new Set(await runMany(20, failingInThread))).toEqual(new Set([0]))
  expect(failures.length).toBeGreaterThan(0)
  expect(new Set(failures)).toEqual(new Set(['not in a thread']))
  expect(new Set(await runShared(0)).size).toBe(3)
})

test('what fails everywhere fails for the caller', async () => {
  open()
  await startThreads()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, async () => threads.run(failing, [Buffer.from('x')])),
  )
  expect(outcomes.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
    Array(20).fill('Error: nowhere'),
  )
})

test('threads without work end', async () => {
  open({ idleMs: 1000 })
  await startThreads()
  const before = new Set(await runMany(60, reversing, 2))
  await pause(2500)
  for (let tries = 0; ; tries++) {
    const by = new Set(await runMany(20, reversing, 2))
    expect([...by].filter((each) => each !== 0 && before.has(each))).toEqual([])
    if (by.size > 1 || tries > 200) break
  }
})

test('jobs that are under way are done when the threads are closed', async () => {
  open()
  await startThreads()
  const done = runMany(30, reversing, 5)
  threads.close()
  expect((await done).length).toBe(30)
  expect(new Set(await runMany(20, reversing, 1))).toEqual(new Set([0]))
})
