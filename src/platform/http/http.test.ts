import { expect, test } from '@jest/globals'
import { shareReadiness } from './http.ts'

function counted(holdsMs: number) {
  let count = 0
  const state = { away: false }
  const check = async () => {
    count++
    if (state.away) throw new Error('away')
  }
  const ask = shareReadiness(() => [{ name: 'database', check }], holdsMs)
  return { ask, count: () => count, state }
}

test('a thousand readiness requests, at once or in sequence, run the checks once', async () => {
  const { ask, count } = counted(60_000)
  const answers = await Promise.all(Array.from({ length: 1000 }, () => ask()))
  answers.push(await ask())
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"status":"ok","checks":{"database":"ok"},"failing":[]}']),
  )
  expect(count()).toBe(1)
})

test('a readiness result expires', async () => {
  const { ask, count, state } = counted(0)
  expect((await ask()).status).toBe('ok')
  state.away = true
  expect(await ask()).toEqual({
    status: 'unavailable',
    checks: { database: 'away' },
    failing: ['database: away'],
  })
  expect(count()).toBe(2)
})
