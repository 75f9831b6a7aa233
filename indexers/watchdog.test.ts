import { describe, expect, test } from '@jest/globals'
import { configuredChains } from '../src/chains/configuration.ts'
import { staleAfterMs } from '../src/chains/registry.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { testChain } from '../test/support/madeBlocks.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createTip } from './tip.ts'
import { watchTip } from './watchdog.ts'

const all = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism']

describe('a chain counts as stale', () => {
  test('30 blocks after its last one, with a minimum of half a minute and a maximum of five', () => {
    const seconds = [1, 250, 750, 999, 1000, 1001, 2000, 9999, 10_000, 10_001, 12_000, 60_000].map(
      (blockMs) => staleAfterMs({ blockMs }) / 1000,
    )
    expect(seconds).toEqual([30, 30, 30, 30, 30, 30.03, 60, 299.97, 300, 300, 300, 300])
  })

  test('on each chain of the registry after this time', () => {
    const { chains } = configuredChains(
      Object.fromEntries(all.map((name) => [`${name.toUpperCase()}_RPC_URLS`, 'http://localhost'])),
    )
    expect(Object.fromEntries(chains.map((chain) => [chain.name, staleAfterMs(chain) / 1000]))).toEqual({
      ethereum: 300,
      polygon: 60,
      bsc: 30,
      base: 60,
      arbitrum: 30,
      optimism: 60,
    })
  })
})

describe('the age of the tip', () => {
  test('counts from the last time it rose, or from the start', () => {
    const clock = { now: 5000 }
    const tip = createTip(30_000, () => clock.now)
    clock.now += 1000
    expect(tip.ageMs()).toBe(1000)
    tip.moved(10)
    expect(tip.ageMs()).toBe(0)
    clock.now += 20_000
    tip.moved(10)
    tip.moved(9)
    expect(tip.ageMs()).toBe(20_000)
    tip.moved(11)
    expect(tip.ageMs()).toBe(0)
  })

  test('makes the chain stale after the limit, not at it', () => {
    const clock = { now: 5000 }
    const tip = createTip(30_000, () => clock.now)
    tip.moved(10)
    clock.now += 30_000
    expect(tip.isStale()).toBe(false)
    clock.now += 1
    expect(tip.isStale()).toBe(true)
    tip.moved(11)
    expect(tip.isStale()).toBe(false)
  })
})

test('a stale chain is logged once, its providers are verified, and a log line reports when it moves again', async () => {
  const stop = new AbortController()
  const logged: { level: string; msg: string }[] = []
  const log = createLog('test', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  let verified = 0
  let stale = false
  const tip = { ageMs: () => 300_500, isStale: () => stale }
  const reader = {
    verify: async () => {
      verified++
      throw new Error('no route')
    },
  }
  // The watchdog checks the tip at least every second; the shortest limit makes no difference to that.
  const running = watchTip({ chain: testChain(), reader, log, signal: stop.signal }, tip)
  try {
    expect(logged).toEqual([])
    stale = true
    await waitFor('the alarm', async () => logged.length >= 2)
    expect(logged).toMatchObject([
      { level: 'error', seconds: 301, limit: 300, msg: 'the chain is stale: no new block' },
      { level: 'error', err: 'no route', msg: 'no provider can be relied on' },
    ])
    stale = false
    await waitFor('the all-clear', async () => logged.length >= 3)
    expect(logged[2]).toMatchObject({ level: 'info', msg: 'the chain moves again' })
    expect([logged.length, verified]).toEqual([3, 1])
  } finally {
    stop.abort()
    await running
  }
})
