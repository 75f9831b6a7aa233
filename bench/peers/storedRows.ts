import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Scope } from '../scope.ts'
import type { Task } from './contender.ts'
import type { PeerProcess } from './process.ts'

/**
 * The table that every peer writes: id `<block>-<log index>`, tx_hash, log_index, block_number, sender,
 * recipient, amount.
 */
export interface StoredRows {
  /** Waits until every row is visible, then checks the rows. @returns `performance.now()` of that moment */
  complete(peer: PeerProcess): Promise<number>
}

const timeoutMs = 300_000

export async function watchRows(scope: Scope, task: Task, table: string): Promise<StoredRows> {
  const client = scope.keep(new pg.Client({ connectionString: task.databaseUrl }), (each) => each.end())
  await client.connect()
  const lastLogIndex = task.transfers / (task.toBlock - task.fromBlock + 1) - 1
  const isComplete = async () => {
    try {
      // A lookup by primary key, so that polling costs the peer nothing; once it succeeds, nearly all rows
      // are there.
      const { rowCount } = await client.query(`select from "${table}" where id = $1`, [
        `${task.toBlock}-${lastLogIndex}`,
      ])
      if (rowCount === 0) return false
      const { rows } = await client.query<{ count: number }>(`select count(*)::int from "${table}"`)
      return rows[0]?.count === task.transfers
    } catch (error) {
      if ((error as pg.DatabaseError).code === '42P01') return false // The table does not exist yet.
      throw error
    }
  }
  return {
    async complete(peer) {
      for (const deadline = performance.now() + timeoutMs; ; await delay(20)) {
        const over = peer.ended()
        peer.cpuSeconds()
        if (await isComplete()) break
        if (over) throw new Error(`the peer ended too early:\n${peer.output()}`)
        if (performance.now() > deadline)
          throw new Error(`the peer took more than ${timeoutMs / 1000} s:\n${peer.output()}`)
      }
      const at = performance.now()
      const { rows } = await client.query({
        text: `select sum(amount)::text, count(distinct (tx_hash, log_index))::int, count(*) filter (where lower(recipient) = any($1))::int, min(block_number), max(block_number) from "${table}"`,
        values: [task.recipients],
        rowMode: 'array',
      })
      const expected = [String(task.volume), task.transfers, task.transfers, task.fromBlock, task.toBlock]
      if (String(rows[0]) !== String(expected))
        throw new Error(`the peer stored ${rows[0]} instead of ${expected}`)
      return at
    },
  }
}
