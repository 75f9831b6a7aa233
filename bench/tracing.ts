import { createServer } from 'node:http'
import { Pool } from 'undici'
import { closeServer, listen } from '../src/platform/http/http.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { currentCause, inScope } from '../src/platform/telemetry/scope.ts'
import { startTracing } from '../src/platform/telemetry/startTracing.ts'
import { inSpan, openSpan, setTracer } from '../src/platform/telemetry/tracing.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { type Child, startChild } from './child.ts'
import { interleave, ratio, type Series, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'
import { fillPool, type Load, load } from './sessions.ts'
import { deliver, events } from './webhooks.ts'

const bench = 'tracing'
const clients = 16
/** Short and many: the machine's other work changes from second to second. */
const rounds = 18
const roundMs = 800
const share = '0.1'
/** More CPU for each session or delivery than without tracing. */
const aim = 1.05

/** Requests of which the CPU is measured alone. */
const [requests, warmUp] = [50_000, 20_000]

/**
 * What tracing costs: the spans of a request alone, and sessions and deliveries of two deployments in turn,
 * one without an exporter, one that records a tenth of the traces.
 */
export async function benchTracing(scope: Scope): Promise<Report> {
  const collector = createServer((request, response) => void request.on('end', () => response.end()).resume())
  const port = await listen(collector, 0, '127.0.0.1')
  scope.keep(collector, () => closeServer(collector))
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share,
  }
  const alone = await requestsAlone(tracing)
  progress('starting two deployments')
  const open = async (env: Record<string, string>): Promise<Stack> => {
    const options = {
      processes: ['api' as const, 'worker' as const],
      separate: true,
      env: { ...asInProduction(), WEBHOOK_IN_FLIGHT: '8', ...env },
    }
    const stack = scope.keep(await createStack(options), (each) => each.close())
    await fillPool(stack)
    return stack
  }
  const [off, on] = [await open({}), await open(tracing)]
  const receiver = scope.keep(
    startChild(new URL('./countingReceiver.ts', import.meta.url), { RECEIVERS: '1', HANGING: '0' }),
    (each) => each.close(),
  )
  const { ports } = await receiver.next<{ ports: number[] }>()
  const url = `http://127.0.0.1:${ports[0]}/hooks`

  const sessions = await compare('sessions', off, on, createSessions(scope))
  const deliveries = await compare('deliveries', off, on, (stack) => deliverAll(stack, receiver, url))
  return {
    figures: [
      ...alone,
      ...figures('POST /pos/sessions', 'sessions/s', sessions),
      ...figures('deliveries, one endpoint', '/s', deliveries),
    ],
    notes: [
      `Two deployments with a database each, in turn, ${rounds} rounds; each measured twice; one has no exporter, the other records ${share} of the traces for a collector on the same machine. The ratio is that of CPU of the process for each session or delivery, with tracing to without: a rate depends on the machine's other work.`,
    ],
  }
}

/** CPU of the calls that a request makes, in this process, the export included. */
async function requestsAlone(tracing: Record<string, string>): Promise<Figure[]> {
  const off = await cpuOfRequest()
  const traced = async (arg: string) => {
    const env = {
      ...tracing,
      OTEL_TRACES_SAMPLER_ARG: arg,
      OTEL_BSP_MAX_QUEUE_SIZE: '1000000',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    }
    Object.assign(process.env, env)
    const stop = await startTracing(bench, createLog(bench, 'silent'), env)
    for (const name of Object.keys(env)) delete process.env[name]
    const cost = await cpuOfRequest()
    setTracer(null)
    await stop?.()
    return cost
  }
  const line = (what: string, micros: number) =>
    figure(bench, `a request's spans alone, ${what}`, spread([micros]), 'µs CPU')
  return [
    line('no exporter', off),
    line('a tenth of the traces', await traced(share)),
    line('all traces', await traced('1')),
  ]
}

async function cpuOfRequest(): Promise<number> {
  const run = async (count: number) => {
    const before = process.cpuUsage()
    for (let i = 0; i < count; i++) {
      await spansOfRequest()
      // Lets the exporter work.
      if (i % 200 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  }
  await run(warmUp)
  return run(requests)
}

/** As `POST /pos/sessions` that queries a partner for a rate: three rows remember it. */
async function spansOfRequest(): Promise<void> {
  const span = openSpan('POST', null, { kind: 'server', attributes: { 'http.request.method': 'POST' } })
  await inScope({ requestId: 'bench-request', trace: span.trace }, async () => {
    for (let i = 0; i < 3; i++) currentCause()
    await inSpan(
      'GET partner',
      { kind: 'client', attributes: { 'server.address': 'partner' } },
      async () => {},
    )
  })
  span.rename('createSession')
  span.set({
    'http.route': '/api/v1/pos/sessions',
    'http.response.status_code': 201,
    'cowry.request_id': 'bench-request',
  })
  span.end()
}

interface Measured {
  perSecond: number
  cpuMs: number
}

function createSessions(scope: Scope): (stack: Stack) => Promise<Load> {
  const pools = new Map<Stack, Pool>()
  return async (stack) => {
    const api = stack.processes.get('api')
    const pool =
      pools.get(stack) ??
      scope.keep(new Pool(`http://127.0.0.1:${api?.port()}`, { connections: clients }), (each) =>
        each.close(),
      )
    pools.set(stack, pool)
    return load(pool, '/api/v1/pos/sessions', { 'x-api-key': stack.apiKey }, () => cpuMsOf(api), roundMs)
  }
}

async function deliverAll(stack: Stack, receiver: Child, url: string): Promise<Measured> {
  const { ms, cpuMs } = await deliver(stack, receiver, [url], [])
  return { perSecond: (events / ms) * 1000, cpuMs: cpuMs / events }
}

type Rounds = Series<'off' | 'on' | 'same' | 'offCpu' | 'onCpu' | 'sameCpu'>

/**
 * Both are measured twice in each round, and what the ratio is worth is shown by that of the first and the
 * second time without an exporter.
 */
function compare(
  what: string,
  off: Stack,
  on: Stack,
  measure: (stack: Stack) => Promise<Measured>,
): Promise<Rounds> {
  const order = [off, on, off, on].map((stack, place) => ({ stack, place }))
  return interleave(`${bench}, ${what}`, { rounds, warmUp: 3 }, async () => {
    // In turn, so that no deployment is always the last.
    const measured: Measured[] = []
    for (const { stack, place } of order) measured[place] = await measure(stack)
    order.push(...order.splice(0, 1))
    const [without, traced, same, again] = measured as [Measured, Measured, Measured, Measured]
    return {
      off: without.perSecond,
      on: traced.perSecond,
      same: same.perSecond,
      offCpu: without.cpuMs,
      onCpu: (traced.cpuMs + again.cpuMs) / 2,
      sameCpu: same.cpuMs,
    }
  })
}

function figures(what: string, unit: string, series: Rounds) {
  const cpu = (each: readonly number[]) => `${digits(spread(each).median)} ms CPU each`
  const without = series.offCpu.map((each, i) => (each + (series.sameCpu[i] ?? each)) / 2)
  const cost = ratio(series.onCpu, without)
  return [
    figure(bench, `${what}, no exporter`, spread(series.off), unit, { extra: cpu(series.offCpu), ratio: 1 }),
    figure(bench, `${what}, the same once more`, spread(series.same), unit, {
      extra: cpu(series.sameCpu),
      ratio: ratio(series.sameCpu, series.offCpu),
    }),
    figure(bench, `${what}, a tenth of the traces`, spread(series.on), unit, {
      extra: cpu(series.onCpu),
      ratio: cost,
      aim: `at most ${aim} of the CPU`,
      met: cost.median <= aim,
    }),
  ]
}
