import { describe, expect, test } from '@jest/globals'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { agreedLogs, findMint } from './bridgeMints.ts'

const log = { address: '0xa', topics: ['0x1'], data: '0x', transactionHash: '0xb' }
const says = (source: string, ...logs: (typeof log)[]) => ({ source, logs })

test('events of a mint count as two providers report them', () => {
  expect(agreedLogs([says('one', log), says('two', log)], null)).toEqual([log])
  expect(agreedLogs([says('one', log), says('two', log), says('three')], null)).toEqual([log])
})
test('one provider suffices only where all others are silent', () => {
  expect(agreedLogs([says('one', log)], null)).toBeNull()
  expect(agreedLogs([says('one', log)], 'one')).toEqual([log])
})
test('nothing counts while as many report another event', () => {
  const other = { ...log, data: '0x01' }
  expect(agreedLogs([says('one', log), says('two', other)], null)).toBeNull()
  expect(
    agreedLogs([says('one', log), says('two', log), says('three', other), says('four', other)], null),
  ).toBeNull()
})

describe('a search for a mint', () => {
  const [transmitter, nonce] = [`0x${'ab'.repeat(20)}`, `0x${'07'.repeat(32)}`] as const
  /** A chain with a block each quarter of a second, as arbitrum, whose head is of this moment. */
  function chainOf(head: number, mintedAt: number) {
    const calls: string[] = []
    const now = Date.now()
    const timeOf = (height: number) => `0x${Math.floor((now - (head - height) * 250) / 1000).toString(16)}`
    const call = async (method: string, [first]: unknown[]) => {
      calls.push(method)
      if (method === 'eth_blockNumber') return `0x${head.toString(16)}`
      if (method === 'eth_getBlockByNumber') return { timestamp: timeOf(Number(first)) }
      const { fromBlock, toBlock, topics } = first as { fromBlock: string; toBlock: string; topics: string[] }
      const isThere = Number(fromBlock) <= mintedAt && mintedAt <= Number(toBlock)
      const log = {
        address: transmitter,
        topics: [topics[0], `0x${'00'.repeat(32)}`, nonce, `0x${'00'.repeat(32)}`],
      }
      return isThere ? [{ ...log, data: '0x', transactionHash: '0xAB' }] : []
    }
    return { calls, now, rpc: { call } as unknown as JsonRpc }
  }
  const hour = 3_600_000

  test('starts close before its time, on a chain of very many blocks', async () => {
    const { rpc, calls, now } = chainOf(400_000_000, 399_990_000)
    const found = await findMint(rpc, transmitter, nonce, { since: new Date(now - hour), cursor: null })
    expect(found.txId).toBe('0xab')
    expect(calls.filter((each) => each === 'eth_getBlockByNumber').length).toBeLessThanOrEqual(10)
    expect(calls.filter((each) => each === 'eth_getLogs').length).toBeLessThanOrEqual(6)
  })

  test('reads a bounded number of blocks at once, and goes on at its cursor', async () => {
    const { rpc, calls, now } = chainOf(400_000_000, 399_999_000)
    const search = { since: new Date(now - 6 * hour), cursor: null as string | null }
    let [steps, txId] = [0, null as string | null]
    for (; txId === null && steps < 10; steps++) {
      const found = await findMint(rpc, transmitter, nonce, search)
      txId = found.txId
      search.cursor = found.cursor
    }
    expect([steps, txId]).toEqual([5, '0xab'])
    expect(calls.filter((each) => each === 'eth_getLogs').length).toBeLessThanOrEqual(88)
    // Where it was found, so that it is found again at once.
    expect(Number(search.cursor)).toBeGreaterThan(399_997_999)
  })

  test('reads a young chain from its first block', async () => {
    const { rpc, now } = chainOf(700, 3)
    expect(await findMint(rpc, transmitter, nonce, { since: new Date(now - hour), cursor: null })).toEqual({
      txId: '0xab',
      cursor: '0',
    })
  })

  test('has read all without it', async () => {
    const { rpc, now } = chainOf(5000, 9_000_000)
    expect(await findMint(rpc, transmitter, nonce, { since: new Date(now - 60_000), cursor: null })).toEqual({
      txId: null,
      cursor: null,
    })
  })
})
