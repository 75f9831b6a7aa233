import { createServer } from 'node:http'
import { afterEach, expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'
import { listen } from '../../src/platform/http/http.ts'
import { waitFor } from '../support/waitFor.ts'
import { type AnvilFront, startAnvilFront } from './anvilFront.ts'
import { rpc, startEvmDevnet } from './evm.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A node that answers a method only when the test opens it. */
async function slowNode() {
  const open = new Map<string, () => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      open.set(method, () => {
        open.delete(method)
        // As large as the trace of a full block: buffers do not hold it.
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method }).padEnd(1_000_000))
      })
    })
  })
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  const front: AnvilFront = await startAnvilFront(url, await freePort())
  closing.push(front.close, async () => {
    server.closeAllConnections()
    server.close()
  })
  return { front, open }
}

const call = async (url: string, method: string, signal?: AbortSignal) => {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: signal ?? null,
  })
  return ((await response.json()) as { result: string }).result
}

test('mining waits until a trace is answered, even after its client disconnects; other methods pass through', async () => {
  const { front, open } = await slowNode()
  const disconnect = new AbortController()
  const traced = call(front.url, 'debug_traceBlockByNumber', disconnect.signal).catch(() => 'aborted')
  await waitFor('a trace', async () => open.has('debug_traceBlockByNumber'))
  disconnect.abort()
  expect(await traced).toBe('aborted')
  const mined = ['evm_mine', 'anvil_reorg', 'anvil_mine'].map((method) => call(front.url, method))
  const head = call(front.url, 'eth_blockNumber')
  await waitFor('a request that is not queued', async () => open.has('eth_blockNumber'))
  expect([...open.keys()]).toEqual(['debug_traceBlockByNumber', 'eth_blockNumber'])
  open.get('eth_blockNumber')?.()
  expect(await head).toBe('eth_blockNumber')
  open.get('debug_traceBlockByNumber')?.()
  for (let left = mined.length; left > 0; left--) {
    await waitFor('the next', async () => open.size > 0)
    expect(open.size).toBe(1)
    for (const answer of [...open.values()]) answer()
  }
  expect(await Promise.all(mined)).toEqual(['evm_mine', 'anvil_reorg', 'anvil_mine'])
})

test('a devnet with a clock makes blocks, announces them over its WebSocket and frees its port when stopped', async () => {
  const devnet = await startEvmDevnet({ chain: 'base', blockSeconds: 1 })
  closing.push(() => devnet.stop())
  const socket = new WebSocket(devnet.wsUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  const heights: number[] = []
  socket.addEventListener('message', ({ data }) => {
    const { params } = JSON.parse(String(data)) as { params?: { result: { number: string } } }
    if (params) heights.push(Number(params.result.number))
  })
  await waitFor('two blocks', async () => heights.length >= 2)
  expect(Number(await rpc(devnet.rpcUrl, 'eth_blockNumber', []))).toBeGreaterThanOrEqual(
    heights[1] ?? Number.NaN,
  )
  expect(heights[1]).toBe((heights[0] ?? 0) + 1)
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
  await devnet.stop()
  await closed
  await expect(fetch(devnet.rpcUrl)).rejects.toThrow()
})
