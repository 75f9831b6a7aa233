import { demoEmail } from '../scripts/dev/seed.ts'
import { createApiKey } from '../src/apiKeys/storeKey.ts'
import { intentEnv } from '../test/support/intentKeys.ts'
import { createStack, demoPassword, type Stack } from '../test/support/stack.ts'
import type { Part } from './bareApi.ts'
import { type ChildCpu, cpuMs, startChild } from './child.ts'
import { benchKeyLookup } from './keyLookup.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import { type Load, load, type Target } from './requestLoad.ts'
import { createScope, type Scope } from './scope.ts'

const bench = 'api'
const clients = 16
const rounds = 7
const roundMs = 1200
const databasePool = '10'
/** Requests a minute: a limit that no round reaches. */
const unreached = 1_000_000_000
const networks = '/api/v1/pos/sessions/networks/all'
const me = '/api/v1/auth/me'

/** Cost of an authenticated request, and of the key lookup within it. */
export async function* benchApi(scope: Scope): AsyncGenerator<Report> {
  yield await requests(scope)
  yield await benchKeyLookup(scope)
}

/** A server under load, and the CPU time it has used. */
interface Contender extends Target {
  id: string
  what: string
  /** The contender its ratio is measured against; its own id: it is that limit; null: no ratio. */
  limit: string | null
  computed(): Promise<number>
}

/**
 * Authenticated requests per second of the API process, compared with bare express answering the same bodies.
 */
async function requests(outer: Scope): Promise<Report> {
  const scope = outer.keep(createScope(), (each) => each.close())
  progress('starting the API')
  const stack = scope.keep(await createStack({ processes: ['api'], env: productSettings }), (each) =>
    each.close(),
  )
  const { contenders, bytes } = await contendersOf(scope, stack)

  const loads = new Map<string, Load[]>(contenders.map(({ id }) => [id, []]))
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const figures: Record<string, number> = {}
    for (const each of contenders) {
      const before = await each.computed()
      const done = await load(each, clients, roundMs)
      figures[each.id] = done.perSecond
      figures[`${each.id} cpu`] = ((await each.computed()) - before) / done.waits.length
      if (index >= 0) loads.get(each.id)?.push(done)
    }
    return figures
  })
  const seriesOf = (name: string) => series[name] ?? []
  // The first contender has no real server to wait for: there the client is busy by design.
  const busiest = Math.max(
    ...contenders.flatMap(({ id, limit }) =>
      limit === null ? [] : [quantile(loads.get(id)?.map(({ busy }) => busy) ?? [], 0.5)],
    ),
  )
  const report: Report = {
    figures: contenders.map(({ id, what, limit }) => {
      const waits = loads.get(id)?.flatMap((each) => each.waits) ?? []
      return figure(bench, what, spread(seriesOf(id)), 'requests/s', {
        extra: `${digits(spread(seriesOf(`${id} cpu`)).median * 1000)} µs CPU each, p50 ${digits(quantile(waits, 0.5))} ms, p99 ${digits(quantile(waits, 0.99))} ms`,
        ...(limit === null ? {} : { ratio: limit === id ? 1 : ratio(seriesOf(id), seriesOf(limit)) }),
      })
    }),
    notes: [
      `${clients} clients over kept connections, ${rounds} rounds of ${roundMs / 1000} s each. Ratio is of requests per second. One API process with ${databasePool} connections, logging and counting invalid answers as in production; every other contender has a process of its own and answers the same bodies of the API (${bytes[networks]} and ${bytes[me]} bytes). Under the highest load, the client computed ${digits(busiest * 100)} % of the time; alone it is as fast as the first line. Clients, servers, Postgres and Redis share the cores; CPU is that of the server's process alone.`,
      'each line below bare express includes the lines above it: the validator checks request, credential and answer by the same contract; the row is found by the hash of the key; the count is one INCR. They include no limits, roles, security headers, metrics or key usage.',
    ],
  }
  // Free the cores for the next measurement.
  await scope.close()
  return report
}

const productSettings = {
  ...asInProduction(),
  NODE_ENV: 'production',
  DATABASE_POOL: databasePool,
  RATE_LIMIT_BUSINESS: String(unreached),
  RATE_LIMIT_ADDRESS: String(unreached),
}

async function contendersOf(
  scope: Scope,
  stack: Stack,
): Promise<{ contenders: Contender[]; bytes: Record<string, number> }> {
  const product = stack.processes.get('api')
  const port = product?.port() ?? 0
  const key = (requestsPerMinute: number | null) =>
    createApiKey(stack, {
      businessId: stack.businessId,
      name: 'bench',
      scope: 'write',
      environment: 'test',
      requestsPerMinute,
    })
  const open = { 'x-api-key': (await key(null)).reveal() }
  const limited = { 'x-api-key': (await key(unreached)).reveal() }
  const { body: login } = await stack.api<{ accessToken: string }>('POST', '/auth/login', {
    email: demoEmail,
    password: demoPassword,
  })
  const token = { authorization: `Bearer ${login.accessToken}` }

  const bodies: Record<string, string> = {}
  for (const path of [networks, me])
    bodies[path] = await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: open })).text()
  const bare = async (part: Part, path: string, what: string): Promise<Contender> => {
    const child = scope.keep(
      startChild(new URL('./bareApi.ts', import.meta.url), {
        NODE_ENV: 'production',
        PART: part,
        BODIES: `{${JSON.stringify(path)}:${bodies[path]}}`,
        DATABASE_URL: stack.databaseUrl,
        ...intentEnv,
        DATABASE_POOL: databasePool,
        REDIS_URL: stack.redis.url,
      }),
      (each) => each.close(),
    )
    const { port: barePort } = await child.next<{ port: number }>()
    const answer = await (await fetch(`http://127.0.0.1:${barePort}${path}`, { headers: open })).text()
    if (answer !== bodies[path]) throw new Error(`${what} answers ${answer}`)
    const limit = part === 'socket' ? null : `express ${path}`
    return {
      id: `${part} ${path}`,
      what,
      limit,
      port: barePort,
      path,
      headers: open,
      computed: async () => cpuMs(await child.ask<ChildCpu>({})),
    }
  }
  const cowryAt = (path: string, who: string, headers: Record<string, string>): Contender => ({
    id: `${who} ${path}`,
    what: `GET ${path.slice('/api/v1'.length)}, ${who}`,
    limit: `express ${path}`,
    port,
    path,
    headers,
    computed: () => cpuMsOf(product),
  })
  const cowryContendersAt = (path: string) => [
    cowryAt(path, 'key', open),
    cowryAt(path, 'key with a limit', limited),
    cowryAt(path, 'access token', token),
  ]
  return {
    bytes: Object.fromEntries(Object.entries(bodies).map(([path, body]) => [path, Buffer.byteLength(body)])),
    contenders: [
      await bare('socket', networks, 'the client alone, answered without HTTP'),
      await bare('express', networks, 'bare express, body of networks/all'),
      await bare('contract', networks, 'and express-openapi-validator'),
      await bare('database', networks, 'and a row of Postgres'),
      await bare('redis', networks, 'and a count in Redis'),
      ...cowryContendersAt(networks),
      await bare('express', me, 'bare express, body of auth/me'),
      ...cowryContendersAt(me),
    ],
  }
}
