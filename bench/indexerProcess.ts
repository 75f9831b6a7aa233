import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type CowryProcess, startCowry } from '../scripts/local/cowryProcess.ts'
import type { TestDatabase } from '../test/support/database.ts'
import { asInProduction } from './processes.ts'
import { cpuMsIn } from './procStat.ts'
import type { ReplayedChain } from './recordedChain.ts'
import type { Replay } from './replay.ts'
import type { Scope } from './scope.ts'

/** The height of the indexer, and its CPU time so far. */
export interface Reached {
  height: number
  /**
   * Clock of Postgres, in milliseconds: start of the transaction that committed the height. Independent of
   * the poll interval.
   */
  committedAt: number
  /** Clock of this process when it read the height. */
  seenAt: number
  /** Milliseconds of all its threads; NaN without /proc. */
  cpuMs: number
  /** The same of its main thread. */
  mainCpuMs: number
}

/** The product's indexer, as `npm run cowry -- run indexer` starts it. */
export interface IndexerProcess {
  process: CowryProcess
  /** Waits until a height is committed. */
  reach(height: number): Promise<Reached>
  stop(): Promise<void>
}

const timeoutMs = 120_000
/** Precise to a hundredth, at negligible cost. */
const pollMs = 20

/** Starts it without any stored state of the chain. */
export async function startIndexer(
  scope: Scope,
  chain: ReplayedChain,
  { db, url }: TestDatabase,
  replay: Replay,
  env: Record<string, string> = {},
): Promise<IndexerProcess> {
  await db.query('delete from chain_cursors where chain = $1', [chain])
  await db.query('delete from blocks where chain = $1', [chain])
  const logFile = join(process.env.COWRY_TEST_HOME ?? tmpdir(), `bench-indexer-${chain}.log`)
  const product = scope.keep(
    startCowry(
      `indexer-${chain}`,
      'indexer',
      [chain],
      {
        ...asInProduction(),
        LOG_LEVEL: 'warn',
        DATABASE_URL: url,
        [`${chain.toUpperCase()}_RPC_URLS`]: replay.url,
        ...env,
      },
      logFile,
    ),
    (each) => each.stop(),
  )
  await product.ready()
  return {
    process: product,
    stop: () => product.stop(),
    async reach(height) {
      for (const deadline = performance.now() + timeoutMs; ; await delay(pollMs)) {
        const [row] = await db.query<{ height: number; at: number }>(
          'select height::float8 as height, extract(epoch from updated_at)::float8 * 1000 as at from chain_cursors where chain = $1 and height >= $2',
          [chain, height],
        )
        if (row)
          return { height: row.height, committedAt: row.at, seenAt: performance.now(), ...cpuOf(product.pid) }
        const tail = () => readFileSync(logFile, 'utf8').slice(-3000)
        if (!product.running()) throw new Error(`the indexer ended:\n${tail()}`)
        if (performance.now() > deadline)
          throw new Error(`block ${height} was not reached within ${timeoutMs / 1000} s:\n${tail()}`)
      }
    },
  }
}

const cpuOf = (pid: number) => ({
  cpuMs: cpuMsIn(`/proc/${pid}/stat`),
  mainCpuMs: cpuMsIn(`/proc/${pid}/task/${pid}/stat`),
})
