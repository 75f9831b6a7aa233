import type { Scope } from '../scope.ts'
import type { LocalChain } from './localChain.ts'

/** What everyone is asked to do: find every transfer of the token in these blocks, and have a row for each in this database. */
export interface Task extends Omit<LocalChain, 'stop'> {
  /** An empty database of the contender's own. */
  databaseUrl: string
}

export interface Outcome {
  /** Rows that were stored, each of them checked. */
  events: number
  /** From the start of the process to the moment when another connection sees the last row. */
  seconds: number
  /** The same from the first request for events on (`eth_getLogs` or `eth_getBlockReceipts`), as the node saw it. */
  syncSeconds: number
  /** What its process computed in `seconds`, which other work on the machine disturbs less; null: unknown. */
  cpuSeconds: number | null
  /** What the node was asked for, by method. */
  requests: Record<string, number>
}

export interface Contender {
  name: string
  version: string
  /** Installs it, unless it is there in the pinned version. What it starts may live as long as `scope`. @throws when it cannot be installed */
  install(scope: Scope): Promise<void>
  /** What is done once for a chain and is not measured: generating code. What it starts may live as long as `scope`. */
  prepare(scope: Scope, chain: LocalChain): Promise<void>
  /** What it starts may live as long as `scope`, which ends with this run. `task.requests` has nothing yet that others asked for. */
  run(scope: Scope, task: Task): Promise<Outcome>
}
