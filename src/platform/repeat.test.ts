import { expect, test } from '@jest/globals'
import { repeat } from './repeat.ts'

/** Runs `round` until it was called `max` times; returns the pauses. */
async function pauses(
  max: number,
  round: (n: number) => number | undefined,
  failed?: (error: unknown) => number | undefined,
): Promise<{ waited: number[]; rounds: number }> {
  const over = new AbortController()
  const waited: number[] = []
  const bell = { wait: async (ms: number) => void waited.push(ms) }
  let rounds = 0
  await repeat(over.signal, { everyMs: 7, bell, ...(failed && { failed }) }, async () => {
    if (++rounds === max) over.abort()
    return round(rounds)
  })
  return { waited, rounds }
}

test('pauses after each round, for as long as the round returns', async () => {
  expect(await pauses(4, (n) => [undefined, 0, 3][n - 1])).toEqual({ waited: [7, 3, 7], rounds: 4 })
})

test('a failure that is handled is followed by the next round, after the pause that its handler chooses', async () => {
  const failing = (n: number) => {
    if (n < 3) throw new Error(`${n}`)
    return undefined
  }
  const seen: string[] = []
  const failed = (error: unknown) => (seen.push((error as Error).message) === 1 ? 60 : undefined)
  expect(await pauses(3, failing, failed)).toEqual({ waited: [60, 7, 7], rounds: 3 })
  expect(seen).toEqual(['1', '2'])
})

test('a failure that is not handled ends the repetition', async () => {
  const failing = () => {
    throw new Error('broken')
  }
  await expect(pauses(9, failing)).rejects.toThrow('broken')
  await expect(
    pauses(9, failing, (error) => {
      throw error
    }),
  ).rejects.toThrow('broken')
})

test('an aborted signal permits no round', async () => {
  let rounds = 0
  await repeat(AbortSignal.abort(), { everyMs: 1 }, async () => void rounds++)
  expect(rounds).toBe(0)
})
