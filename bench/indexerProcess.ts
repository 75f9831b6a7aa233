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

/** Where the indexer is, and what it computed until then. */
export interface Reached {
  height: number
  /** The clock of Postgres, when the transaction that came there began: free of how often somebody looks. Milliseconds. */
  committedAt: number
  /** This process's clock when it looked. */
  seenAt: number
  /** Milliseconds of all its threads; NaN where /proc does not tell. */
  cpuMs: number
  /** The same, of its main thread. */
  mainCpuMs: number
}

/** The product's own indexer, as `npm run indexer` starts it. */
export interface IndexerProcess {
  process: CowryProcess
  /** Waits until a height is committed. */
  reach(height: number): Promise<Reached>
  stop(): Promise<void>
}

const patienceMs = 120_000
/** Often enough to be exact to a hundredth, seldom enough to cost nothing. */
const everyMs = 20

/** Starts it with an empty record of the chain. */
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
      { ...asInProduction(), LOG_LEVEL: 'warn', DATABASE_URL: url, [`${chain.toUpperCase()}_RPC_URLS`]: replay.url, ...env },
      logFile,
    ),
    (each) => each.stop(),
  )
  await product.ready()
  return {
    process: product,
    stop: () => product.stop(),
    async reach(height) {
      for (const deadline = performance.now() + patienceMs; ; await delay(everyMs)) {
        const [row] = await db.query<{ height: number; at: number }>(
          'select height::float8 as height, extract(epoch from updated_at)::float8 * 1000 as at from chain_cursors where chain = $1 and height >= $2',
          [chain, height],
        )
        if (row) return { height: row.height, committedAt: row.at, seenAt: performance.now(), ...cpuOf(product.pid) }
        const tail = () => readFileSync(logFile, 'utf8').slice(-3000)
        if (!product.running()) throw new Error(`the indexer ended:\n${tail()}`)
        if (performance.now() > deadline) throw new Error(`block ${height} was not reached within ${patienceMs / 1000} s:\n${tail()}`)
      }
    },
  }
}

const cpuOf = (pid: number) => ({ cpuMs: cpuMsIn(`/proc/${pid}/stat`), mainCpuMs: cpuMsIn(`/proc/${pid}/task/${pid}/stat`) })
