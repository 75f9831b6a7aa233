import { Socket } from 'node:net'
import { jest } from '@jest/globals'

/**
 * Messages that this process sends to Postgres while `work` runs: a write each. Other connections must be
 * silent.
 */
export async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const spies = ['_write', '_writev'].map((name) =>
    jest.spyOn(Socket.prototype as unknown as Record<string, () => void>, name),
  )
  try {
    await work()
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
