import { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { firstConnected } from './firstConnected.ts'

const never = new AbortController().signal

/** Dials by script: connects, fails, or hangs until it is aborted. */
function dialler(fates: Record<string, 'connects' | 'fails' | 'hangs'>) {
  const [dialled, givenUp] = [[] as string[], [] as string[]]
  const made = new Map<string, Socket>()
  const dial = (address: string, signal: AbortSignal) =>
    new Promise<Socket>((done, fail) => {
      dialled.push(address)
      const socket = new Socket()
      made.set(address, socket)
      signal.addEventListener('abort', () => {
        givenUp.push(address)
        fail(signal.reason)
      })
      if (fates[address] === 'connects') done(socket)
      if (fates[address] === 'fails') fail(new Error(`${address} failed`))
    })
  return { dial, dialled, givenUp, made }
}

test('an address that fails gives way to the next at once', async () => {
  const { dial, dialled, made } = dialler({ '1.1.1.1': 'fails', '1.1.1.2': 'connects' })
  expect(await firstConnected(['1.1.1.1', '1.1.1.2', '1.1.1.3'], never, dial)).toBe(made.get('1.1.1.2'))
  expect(dialled).toEqual(['1.1.1.1', '1.1.1.2'])
})

test('one that hangs delays the next for a moment only, and is aborted when that connects', async () => {
  const { dial, dialled, givenUp, made } = dialler({
    '1.1.1.1': 'hangs',
    '1.1.1.2': 'hangs',
    '1.1.1.3': 'connects',
  })
  const at = Date.now()
  expect(await firstConnected(['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'], never, dial)).toBe(
    made.get('1.1.1.3'),
  )
  expect(Date.now() - at).toBeGreaterThanOrEqual(490)
  expect(dialled).toEqual(['1.1.1.1', '1.1.1.2', '1.1.1.3'])
  expect(givenUp).toEqual(['1.1.1.1', '1.1.1.2'])
})

test('the families alternate, starting with that of the first address', async () => {
  const { dial, dialled } = dialler({
    '::1': 'fails',
    '::2': 'fails',
    '::3': 'fails',
    '1.1.1.1': 'fails',
    '1.1.1.2': 'fails',
  })
  await expect(firstConnected(['::1', '::2', '::3', '1.1.1.1', '1.1.1.2'], never, dial)).rejects.toThrow(
    '::3 failed',
  )
  expect(dialled).toEqual(['::1', '1.1.1.1', '::2', '1.1.1.2', '::3'])
})

test('a late connection is closed', async () => {
  const late = new Socket()
  let connect = () => {}
  const dial = (address: string) =>
    address === '1.1.1.1'
      ? new Promise<Socket>((done) => (connect = () => done(late)))
      : Promise.resolve(new Socket())
  await firstConnected(['1.1.1.1', '1.1.1.2'], never, dial)
  expect(late.destroyed).toBe(false)
  connect()
  await new Promise((resolve) => setImmediate(resolve))
  expect(late.destroyed).toBe(true)
})

test('the signal ends it, before or during the dial', async () => {
  const reason = new Error('late')
  const { dial, dialled, givenUp } = dialler({ '1.1.1.1': 'hangs' })
  await expect(firstConnected(['1.1.1.1'], AbortSignal.abort(reason), dial)).rejects.toBe(reason)
  expect(dialled).toEqual([])
  const controller = new AbortController()
  const going = firstConnected(['1.1.1.1'], controller.signal, dial)
  controller.abort(reason)
  await expect(going).rejects.toBe(reason)
  expect(givenUp).toEqual(['1.1.1.1'])
})
