import { expect, test } from '@jest/globals'
import { createKeyedQueue } from './keyedQueue.ts'

test('work of one key runs in order, one at a time, also after a failure; other keys run at once; and nothing is kept', async () => {
  const queue = createKeyedQueue()
  const done: string[] = []
  let release = () => {}
  const held = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)))
  const failing = queue.run('a', async () => {
    done.push('a2')
    throw new Error('it failed')
  })
  const last = queue.run('a', async () => done.push('a3'))
  await queue.run('b', async () => done.push('b'))
  expect([done, queue.size]).toEqual([['b'], 1])
  release()
  await expect(failing).rejects.toThrow('it failed')
  await Promise.all([held, last])
  expect([done, queue.size]).toEqual([['b', 'a2', 'a3'], 0])
})
