import { expect, test } from '@jest/globals'
import { createTurns } from './turns.ts'

test('work of one key is done in its order, one at a time, whatever fails; of another key at once; and nothing is kept', async () => {
  const turns = createTurns()
  const done: string[] = []
  let release = () => {}
  const held = turns.inTurn('a', () => new Promise<void>((resolve) => (release = resolve)))
  const failing = turns.inTurn('a', async () => {
    done.push('a2')
    throw new Error('it failed')
  })
  const last = turns.inTurn('a', async () => done.push('a3'))
  await turns.inTurn('b', async () => done.push('b'))
  expect([done, turns.size]).toEqual([['b'], 1])
  release()
  await expect(failing).rejects.toThrow('it failed')
  await Promise.all([held, last])
  expect([done, turns.size]).toEqual([['b', 'a2', 'a3'], 0])
})
