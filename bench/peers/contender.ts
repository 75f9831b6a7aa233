import type { Scope } from '../scope.ts'
import type { LocalChain } from './localChain.ts'

/**
 * The task of every contender: find each transfer of the token in these blocks, and store a row for each in
 * this database.
 */
export interface Task extends Omit<LocalChain, 'stop'> {
  /** An empty database for this contender only. */
  databaseUrl: string
}

export interface Outcome {
  /** Stored rows, each of them checked. */
  events: number
  /** From the start of the process until another connection sees the last row. */
  seconds: number
  /**
   * From the first request for events (`eth_getLogs` or `eth_getBlockReceipts`), as the node saw it, to the
   * same end.
   */
  syncSeconds: number
  /** CPU time of its process in `seconds`, which other load on the machine disturbs less; null: unknown. */
  cpuSeconds: number | null
  /** Requests that the node got, by method. */
  requests: Record<string, number>
}

export interface Contender {
  name: string
  version: string
  /**
   * Installs the pinned version unless it is there. Its processes may live as long as `scope`. @throws when
   * it cannot be installed
   */
  install(scope: Scope): Promise<void>
  /**
   * Preparation for a chain that is not measured: generating code. Its processes may live as long as `scope`.
   */
  prepare(scope: Scope, chain: LocalChain): Promise<void>
  /** Its processes may live as long as `scope`, which ends with this run. `task.requests` starts empty. */
  run(scope: Scope, task: Task): Promise<Outcome>
}
