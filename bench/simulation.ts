// The arithmetic of scale: what each part has to do for so many payments a second, and which ends first. It
// takes what was measured, and no queueing: a part that is loaded to `fullAt` of a core counts as full.

/** `load` is what the bench itself needs: its client, the node and the receiver. */
export const parts = ['api', 'worker', 'indexer', 'postgres', 'redis', 'load'] as const
export type Part = (typeof parts)[number]

/** What a part costs: milliseconds of CPU. */
export interface PartCost {
  /** In each second, for one process, also without payments. */
  perSecond: number
  /** For each block of a chain. */
  perBlock: number
  perPayment: number
}

export interface Costs {
  cpu: Record<Part, PartCost>
  statements: number
  transactions: number
  walBytes: number
  databaseBytes: number
  redisCommands: number
  webhooks: number
  /** Calls of a chain's nodes for each block; payments add no calls. */
  nodeCallsPerBlock: number
}

export interface Deployment {
  apis: number
  workers: number
  chains: number
  blocksPerSecond: number
}

/** Processes that can use no more than one core, and share their work with others of their kind. */
const singleThreads = ['api', 'worker', 'indexer', 'redis'] as const

const processesOf = (part: Part, { apis, workers, chains }: Deployment): number =>
  ({ api: apis, worker: workers, indexer: chains })[part as 'api'] ?? 1

/** Milliseconds of CPU that a part uses in a second, in all of its processes. */
export function cpuOf(part: Part, costs: Costs, paymentsPerSecond: number, deployment: Deployment): number {
  const { perSecond, perBlock, perPayment } = costs.cpu[part]
  return (
    perSecond * processesOf(part, deployment) +
    perBlock * deployment.blocksPerSecond +
    perPayment * paymentsPerSecond
  )
}

export interface Limit {
  perSecond: number
  /** What is full there. */
  full: Part | 'cores'
}

/**
 * The payments a second at which a machine is full.
 * @param coreMs milliseconds of CPU that it has in a second for all parts; those of the bench's own load
 * among them
 * @param paymentsPerBlock blocks come as fast as they fill
 */
export function limitOf(
  costs: Costs,
  deployment: Omit<Deployment, 'blocksPerSecond'>,
  coreMs: number,
  paymentsPerBlock: number,
): Limit {
  const at = (paymentsPerSecond: number) => ({
    ...deployment,
    blocksPerSecond: paymentsPerSecond / paymentsPerBlock,
  })
  const perPayment = (part: Part) => costs.cpu[part].perPayment + costs.cpu[part].perBlock / paymentsPerBlock
  const fixed = (part: Part) => cpuOf(part, costs, 0, at(0))
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0)
  const limits: Limit[] = [
    { perSecond: (coreMs - sum(fixed)) / sum(perPayment), full: 'cores' },
    ...singleThreads.map((part): Limit => {
      const processes = processesOf(part, at(0))
      return { perSecond: (1000 * processes - fixed(part)) / perPayment(part), full: part }
    }),
  ]
  return limits.reduce((least, each) => (each.perSecond < least.perSecond ? each : least))
}

/** Share of a core at which a process counts as full: above it waits grow faster than the load. */
export const fullAt = 0.7

/** What so many payments a second need. */
export interface Need {
  paymentsPerSecond: number
  apis: number
  workers: number
  indexers: number
  postgresCores: number
  redisCores: number
  statementsPerSecond: number
  transactionsPerSecond: number
  walMegabytesPerSecond: number
  databaseGigabytesPerDay: number
  redisCommandsPerSecond: number
  webhooksPerSecond: number
}

/** @param blocksPerSecond of all chains together */
export function needsOf(
  costs: Costs,
  paymentsPerSecond: number,
  { chains, blocksPerSecond }: { chains: number; blocksPerSecond: number },
): Need {
  const processes = (part: 'api' | 'worker') => {
    const { perSecond, perPayment } = costs.cpu[part]
    return Math.max(1, Math.ceil((perPayment * paymentsPerSecond) / (1000 * fullAt - perSecond)))
  }
  const deployment = { apis: processes('api'), workers: processes('worker'), chains, blocksPerSecond }
  return {
    ...{ paymentsPerSecond, apis: deployment.apis, workers: deployment.workers, indexers: chains },
    postgresCores: cpuOf('postgres', costs, paymentsPerSecond, deployment) / 1000,
    redisCores: cpuOf('redis', costs, paymentsPerSecond, deployment) / 1000,
    statementsPerSecond: costs.statements * paymentsPerSecond,
    transactionsPerSecond: costs.transactions * paymentsPerSecond,
    walMegabytesPerSecond: (costs.walBytes * paymentsPerSecond) / 1e6,
    databaseGigabytesPerDay: (costs.databaseBytes * paymentsPerSecond * 86_400) / 1e9,
    redisCommandsPerSecond: costs.redisCommands * paymentsPerSecond,
    webhooksPerSecond: costs.webhooks * paymentsPerSecond,
  }
}

/**
 * Payments a second at which what cannot be doubled by one more process is full. The indexer's are those of
 * one chain.
 */
export function endsOf(
  costs: Costs,
  postgresCores: number,
  paymentsPerBlock: number,
): { indexer: number; redis: number; postgres: number } {
  const core = 1000 * fullAt
  return {
    indexer:
      (core - costs.cpu.indexer.perSecond) /
      (costs.cpu.indexer.perPayment + costs.cpu.indexer.perBlock / paymentsPerBlock),
    redis: (core - costs.cpu.redis.perSecond) / costs.cpu.redis.perPayment,
    postgres: (core * postgresCores - costs.cpu.postgres.perSecond) / costs.cpu.postgres.perPayment,
  }
}
