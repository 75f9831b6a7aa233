import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { type ChildCpu, cpuMs } from './child.ts'
import { cpuMsIn } from './procStat.ts'
import type { ScaleDeployment } from './scaleDeployment.ts'
import type { Part } from './simulation.ts'

/** What is counted from the start of the deployment. */
export interface Usage {
  /** Milliseconds of CPU by part. */
  cpuMs: Record<Part, number>
  /** The busiest process of its kind. */
  busiestMs: Record<'api' | 'worker', number>
  /** Of all processes of the machine. */
  machineMs: number
  statements: number
  transactions: number
  walBytes: number
  databaseBytes: number
  redisCommands: number
  nodeCalls: number
  webhooks: number
}

/** Calls of the node are reported with each block, so the load counts them. */
export async function readUsage(deployment: ScaleDeployment, counted: { nodeCalls: number }): Promise<Usage> {
  const { db, redis, redisPid, apis, workers, indexer, receiver, node } = deployment
  const [row] = await db.query<Record<'statements' | 'transactions' | 'wal' | 'size' | 'backend', string>>(
    `select (select sum(calls) from pg_stat_statements)::text as statements,
       (select sum(xact_commit + xact_rollback) from pg_stat_database)::text as transactions,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as size,
       pg_backend_pid()::text as backend`,
  )
  const { cpu, requests } = await receiver.ask<ChildCpu & { requests: number }>({ peek: true })
  const { calls, cpu: nodeCpu } = await node.order({})
  counted.nodeCalls += Object.values(calls).reduce((sum, count) => sum + count, 0)
  const own = process.cpuUsage()
  const of = (processes: readonly { pid: number }[]) =>
    processes.map(({ pid }) => cpuMsIn(`/proc/${pid}/stat`))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const [api, worker] = [of(apis), of(workers)]
  return {
    cpuMs: {
      api: sum(api),
      worker: sum(worker),
      indexer: sum(of([indexer])),
      postgres: postgresMs(Number(row?.backend)),
      redis: sum(of([{ pid: redisPid }])),
      load: (own.user + own.system) / 1000 + cpuMs({ cpu }) + cpuMs({ cpu: nodeCpu }),
    },
    busiestMs: { api: Math.max(...api), worker: Math.max(...worker) },
    machineMs: cpus().reduce(
      (total, { times: { user, nice, sys, irq } }) => total + user + nice + sys + irq,
      0,
    ),
    statements: Number(row?.statements),
    transactions: Number(row?.transactions),
    walBytes: Number(row?.wal),
    databaseBytes: Number(row?.size),
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]),
    nodeCalls: counted.nodeCalls,
    webhooks: requests,
  }
}

/** Postgres with all its processes, those that have ended as well. @param backend the id of one of them */
function postgresMs(backend: number): number {
  const stat = (pid: string | number) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const parent = stat(backend)[1] ?? ''
  // Of children that have ended, the parent has the sum: fields 16 and 17 of proc_pid_stat(5).
  const own = stat(parent)
  let ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(own[field]), 0)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = stat(pid)
      if (fields[1] === parent) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has just ended.
    }
  }
  return ticks * 10
}
