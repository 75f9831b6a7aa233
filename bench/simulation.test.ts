import { describe, expect, test } from '@jest/globals'
import {
  type Costs,
  endsOf,
  fullAt,
  limitOf,
  needsOf,
  type Part,
  type PartCost,
  parts,
} from './simulation.ts'

const cost = (perPayment: number, perSecond = 0, perBlock = 0): PartCost => ({
  perSecond,
  perBlock,
  perPayment,
})

/** Every part is free, and these cost. */
const costsWith = (cpu: Partial<Record<Part, PartCost>>): Costs => ({
  cpu: { ...(Object.fromEntries(parts.map((part) => [part, cost(0)])) as Costs['cpu']), ...cpu },
  ...{
    statements: 50,
    transactions: 10,
    walBytes: 40_000,
    databaseBytes: 25_000,
    redisCommands: 100,
    webhooks: 5,
    nodeCallsPerBlock: 2,
  },
})

describe('a machine is full', () => {
  const one = { apis: 1, workers: 1, chains: 1 }

  test('where all parts together need its cores', () => {
    const costs = costsWith({ api: cost(4), worker: cost(4), postgres: cost(10), load: cost(2) })
    expect(limitOf(costs, one, 2000, 25)).toEqual({ perSecond: 100, full: 'cores' })
    // Two of each need as much together.
    expect(limitOf(costs, { ...one, apis: 2, workers: 2 }, 2000, 25).perSecond).toBe(100)
  })

  test('where one process needs a whole core, and a second one takes half of it', () => {
    const costs = costsWith({ api: cost(4), worker: cost(10), postgres: cost(10) })
    expect(limitOf(costs, one, 64_000, 25)).toEqual({ perSecond: 100, full: 'worker' })
    expect(limitOf(costs, { ...one, workers: 3 }, 64_000, 25)).toEqual({ perSecond: 250, full: 'api' })
  })

  test('earlier by what is spent at any load, of each process, and by blocks', () => {
    const idle = costsWith({ api: cost(4, 100), postgres: cost(6, 200) })
    expect(limitOf(idle, one, 2000, 25).perSecond).toBe(170)
    expect(limitOf(idle, { ...one, apis: 2 }, 2000, 25).perSecond).toBe(160)
    expect(limitOf(costsWith({ indexer: cost(2, 0, 50) }), one, 2000, 25)).toEqual({
      perSecond: 250,
      full: 'indexer',
    })
  })
})

test('what so many payments a second need grows with them', () => {
  const costs = costsWith({ api: cost(4, 10), worker: cost(6, 10), postgres: cost(10), redis: cost(1) })
  const chains = { chains: 9, blocksPerSecond: 10 }
  expect(needsOf(costs, 1, chains)).toMatchObject({
    apis: 1,
    workers: 1,
    indexers: 9,
    postgresCores: 0.01,
    statementsPerSecond: 50,
  })
  const need = needsOf(costs, 1000, chains)
  expect(need).toMatchObject({
    apis: 6,
    workers: 9,
    postgresCores: 10,
    redisCores: 1,
    statementsPerSecond: 50_000,
    webhooksPerSecond: 5000,
  })
  expect(need).toMatchObject({
    walMegabytesPerSecond: 40,
    databaseGigabytesPerDay: 2160,
    redisCommandsPerSecond: 100_000,
  })
  const ends = endsOf(costs, 64, 25)
  expect(ends.redis).toBeCloseTo(1000 * fullAt)
  expect(ends.postgres).toBeCloseTo(6400 * fullAt)
})
