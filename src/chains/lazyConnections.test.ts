import { expect, jest, test } from '@jest/globals'
import type { ChainConnection } from './connection.ts'
import { lazyConnections } from './lazyConnections.ts'
import type { ConfiguredChain } from './registry.ts'

const chains = [{ name: 'base' }, { name: 'tron' }] as ConfiguredChain[]

test('a chain is connected at the first call, once, and closed with the others', async () => {
  const close = jest.fn(async () => {})
  const connect = jest.fn(
    async ({ name }: ConfiguredChain) => ({ name, close }) as unknown as ChainConnection,
  )
  const connections = lazyConnections(chains, connect)
  expect(connect).not.toHaveBeenCalled()
  const [first, second] = await Promise.all([connections.of('tron'), connections.of('tron')])
  expect(first).toBe(second)
  expect(connect.mock.calls.map(([{ name }]) => name)).toEqual(['tron'])
  await connections.close()
  expect(close).toHaveBeenCalledTimes(1)
})

test('a chain that is not configured is refused', async () => {
  await expect(lazyConnections(chains, async () => ({}) as ChainConnection).of('base2')).rejects.toThrow(
    'base2 is not configured',
  )
})

test('a failed call is retried by the next, and leaves nothing to close', async () => {
  const connect = jest.fn(
    async ({ name }: ConfiguredChain) => ({ name, close: async () => {} }) as unknown as ChainConnection,
  )
  connect.mockRejectedValueOnce(new Error('no library'))
  const connections = lazyConnections(chains, connect)
  await expect(connections.of('tron')).rejects.toThrow('no library')
  expect(await connections.of('tron')).toMatchObject({ name: 'tron' })
  connect.mockRejectedValueOnce(new Error('no library'))
  const failing = expect(connections.of('base')).rejects.toThrow('no library')
  await connections.close()
  await failing
})
