import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { openDirect } from '../src/platform/database/db.ts'
import { intentEnv } from '../test/support/intentKeys.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { type ChildCpu, cpuMs, startChild } from './child.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'sessions'
const clients = 16
const roundMs = 2000
const rounds = 7
const databasePool = 10
const addresses = 120_000

const body = JSON.stringify({ chain: 'ethereum', token: 'USDC', amount: '100' })

/** Sessions created per second through the API process, compared with a bare route with the same effects. */
export async function benchSessions(scope: Scope): Promise<Report> {
  progress('starting the API')
  const stack = scope.keep(
    await createStack({
      processes: ['api'],
      env: { ...asInProduction(), DATABASE_POOL: String(databasePool) },
    }),
    (each) => each.close(),
  )
  await fillPool(stack)
  const bare = scope.keep(
    startChild(new URL('./bareRoute.ts', import.meta.url), {
      DATABASE_URL: stack.databaseUrl,
      ...intentEnv,
      DATABASE_POOL: String(databasePool),
      BUSINESS_ID: stack.businessId,
    }),
    (each) => each.close(),
  )
  const { port } = await bare.next<{ port: number }>()
  const open = (to: number | undefined) =>
    scope.keep(new Pool(`http://127.0.0.1:${to}`, { connections: clients }), (pool) => pool.close())
  const [bareRoute, api] = [open(port), open(stack.processes.get('api')?.port())]

  const waits: number[] = []
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const limit = await load(bareRoute, '/sessions', {}, async () => cpuMs(await bare.ask<ChildCpu>({})))
    const product = await load(api, '/api/v1/pos/sessions', { 'x-api-key': stack.apiKey }, () =>
      cpuMsOf(stack.processes.get('api')),
    )
    if (index >= 0) waits.push(...product.waits)
    return {
      limit: limit.perSecond,
      product: product.perSecond,
      limitCpu: limit.cpuMs,
      productCpu: product.cpuMs,
    }
  })
  const [row] = await stack.db.query<Record<string, number> & { sessions: number }>(
    `select (select count(*) from pos_sessions)::int as sessions, (select count(*) from watches)::int as watches,
       (select count(*) from deposit_addresses where taken_at is not null)::int as taken,
       (select count(*) from audit_log where action = 'session.created')::int as audited,
       (select count(*) from events where type = 'session.created')::int as events,
       (select count(*) from webhook_deliveries where type = 'session.created')::int as deliveries,
       (select count(*) from webhook_queue)::int as queued`,
  )
  if (!row || new Set(Object.values(row)).size > 1)
    throw new Error(`the rows of sessions differ in number: ${JSON.stringify(row)}`)
  const cpu = (each: readonly number[]) => `${digits(spread(each).median)} ms CPU each`
  return {
    figures: [
      figure(bench, 'bare express route, same rows', spread(series.limit), 'sessions/s', {
        extra: cpu(series.limitCpu),
        ratio: 1,
      }),
      figure(bench, 'POST /pos/sessions', spread(series.product), 'sessions/s', {
        extra: `${cpu(series.productCpu)}, p50 ${digits(quantile(waits, 0.5))} ms, p99 ${digits(quantile(waits, 0.99))} ms`,
        ratio: ratio(series.product, series.limit),
      }),
    ],
    notes: [
      `${clients} clients over keep-alive connections, ${rounds} rounds of ${roundMs / 1000} s each, both with ${databasePool} connections to the same database, logging and counting as in production; ratio is of sessions per second. Clients, server and Postgres share the cores. ${row.sessions.toLocaleString('en')} sessions were created.`,
    ],
  }
}

/** Inserts addresses without keys, so that the pool is no limit. */
export async function fillPool(stack: Stack): Promise<void> {
  progress(`filling the pool with ${addresses.toLocaleString('en')} addresses`)
  const made = Array.from({ length: addresses }, () => `0x${randomBytes(20).toString('hex')}`)
  const direct = await openDirect(stack.databaseUrl, 'cowry bench')
  try {
    await direct.query(
      `insert into deposit_addresses (family, index, address, path)
       select 'evm', (select max(index) from deposit_addresses where family = 'evm') + n, address, 'bench'
       from unnest($1::text[]) with ordinality as t(address, n)`,
      [made],
    )
    await direct.query('vacuum (analyze) deposit_addresses')
  } finally {
    await direct.close()
  }
}

export interface Load {
  perSecond: number
  waits: number[]
  /** CPU of the server per request. */
  cpuMs: number
}

export async function load(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  cpuMsNow: () => Promise<number>,
  forMs = roundMs,
): Promise<Load> {
  const waits: number[] = []
  const cpuBefore = await cpuMsNow()
  const started = performance.now()
  const client = async () => {
    while (performance.now() - started < forMs) {
      const asked = performance.now()
      const response = await pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      const answer = await response.body.text()
      if (response.statusCode !== 201) throw new Error(`${path} answered ${response.statusCode}: ${answer}`)
      waits.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = (waits.length / (performance.now() - started)) * 1000
  return { perSecond, waits, cpuMs: ((await cpuMsNow()) - cpuBefore) / waits.length }
}
