import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { sealWebhookSecret } from '../src/webhooks/secret.ts'
import { createStack, type Stack, webhookSecret } from '../test/support/stack.ts'
import { appKey } from '../test/support/template.ts'
import { waitFor } from '../test/support/waitFor.ts'
import type { Send } from './bareSender.ts'
import { benchBlockToReceiver } from './blockToReceiver.ts'
import { type Child, type ChildCpu, cpuMs, startChild } from './child.ts'
import type { Expect } from './countingReceiver.ts'
import { interleave, ratio, type Series, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import { sampleEvent } from './sampleEvent.ts'
import { createScope, type Scope } from './scope.ts'

const bench = 'webhooks'
/** Due rows of a round. */
export const events = 5000
const manyEndpoints = 20
const rounds = 5
/** Endpoints that accept a request and never answer. */
const hangingEndpoints = 5
/** WEBHOOK_IN_FLIGHT: concurrent attempts to one endpoint. */
const inFlight = 8
const aim = 2500

type Rounds = Series<'limit' | 'product' | 'limitCpu' | 'productCpu' | 'withHanging'>

/** Deliveries per second of the worker, and latency from a block to the receiver. */
export async function* benchWebhooks(scope: Scope): AsyncGenerator<Report> {
  yield await benchDeliveries(scope)
  yield await benchBlockToReceiver(scope)
}

/** Deliveries per second of the worker process, compared with bare signed POSTs to the same receiver. */
async function benchDeliveries(outer: Scope): Promise<Report> {
  const scope = outer.keep(createScope(), (each) => each.close())
  progress('starting the worker')
  const stack = scope.keep(
    await createStack({
      processes: ['worker'],
      env: { ...asInProduction(), WEBHOOK_IN_FLIGHT: String(inFlight) },
    }),
    (each) => each.close(),
  )
  const receiver = scope.keep(
    startChild(new URL('./countingReceiver.ts', import.meta.url), {
      RECEIVERS: String(manyEndpoints),
      HANGING: String(hangingEndpoints),
    }),
    (each) => each.close(),
  )
  const { ports, hanging } = await receiver.next<{ ports: number[]; hanging: number[] }>()
  const sender = scope.keep(startChild(new URL('./bareSender.ts', import.meta.url)), (each) => each.close())
  await sender.next()
  const [urls, hangingUrls] = [ports, hanging].map((some) =>
    some.map((port) => `http://127.0.0.1:${port}/hooks`),
  ) as [string[], string[]]

  const one = await compare(stack, receiver, sender, urls.slice(0, 1), [])
  const many = await compare(stack, receiver, sender, urls, hangingUrls)
  const cpu = (each: readonly number[]) => `${digits(spread(each).median)} ms CPU each`
  const lines = (series: Rounds, endpoints: string) => [
    figure(bench, `bare signed POSTs, ${endpoints}`, spread(series.limit), '/s', {
      extra: cpu(series.limitCpu),
      ratio: 1,
    }),
    figure(bench, `deliveries, ${endpoints}`, spread(series.product), '/s', {
      extra: cpu(series.productCpu),
      ratio: ratio(series.product, series.limit),
      aim: `at least ${aim}/s`,
      met: spread(series.product).median >= aim,
    }),
  ]
  // Free the cores for the next measurement.
  await scope.close()
  return {
    figures: [
      ...lines(one, 'one endpoint'),
      ...lines(many, `${manyEndpoints} endpoints`),
      figure(
        bench,
        `deliveries, ${manyEndpoints} endpoints next to ${hangingEndpoints} that hang`,
        spread(many.withHanging),
        '/s',
        {
          ratio: ratio(many.withHanging, many.limit),
        },
      ),
    ],
    notes: [
      `${events.toLocaleString('en')} due rows a round, ${rounds} rounds, from the notification of the worker to the last arrival; ${inFlight} concurrent attempts to an endpoint, also for the bare sender; ratio is of deliveries per second. Every row was delivered at the first attempt, and no event came twice. With endpoints that accept requests and never answer, these get as many more rows; the rate is that of the others.`,
    ],
  }
}

async function compare(
  stack: Stack,
  receiver: Child,
  sender: Child,
  urls: string[],
  hanging: string[],
): Promise<Rounds> {
  const order: Send = {
    urls,
    events,
    concurrency: urls.length * inFlight,
    connections: inFlight,
    secret: webhookSecret,
  }
  return interleave(
    `${bench}, ${urls.length} of ${manyEndpoints} endpoints`,
    { rounds, warmUp: 1 },
    async () => {
      let sent = { cpu: process.cpuUsage() }
      const before = cpuMs(await sender.ask<ChildCpu>({ ...order, events: 0 }))
      const limit = await arrivals(receiver, async () => {
        sent = await sender.ask<ChildCpu>(order)
      })
      const product = await deliver(stack, receiver, urls, [])
      const withHanging = hanging.length > 0 ? await deliver(stack, receiver, urls, hanging) : product
      return {
        limit: (events / limit) * 1000,
        product: (events / product.ms) * 1000,
        limitCpu: (cpuMs(sent) - before) / events,
        productCpu: product.cpuMs / events,
        withHanging: (events / withHanging.ms) * 1000,
      }
    },
  )
}

/** Lets the worker deliver the events to `urls`, and as many to each hanging one. */
export async function deliver(
  stack: Stack,
  receiver: Child,
  urls: readonly string[],
  hanging: readonly string[],
): Promise<{ ms: number; cpuMs: number }> {
  const endpoints = await dueDeliveries(
    stack,
    [...urls, ...hanging],
    (events / urls.length) * (urls.length + hanging.length),
  )
  const healthy = endpoints.slice(0, urls.length)
  const cpuBefore = await cpuMsOf(stack.processes.get('worker'))
  const took = await arrivals(receiver, () => activate(stack, endpoints))
  await waitFor('every delivery is recorded', async () => (await undelivered(stack, healthy)) === 0)
  const computed = (await cpuMsOf(stack.processes.get('worker'))) - cpuBefore
  await deactivate(stack, endpoints.slice(urls.length))
  return { ms: took, cpuMs: computed }
}

/** Milliseconds from the start of `work` to the arrival of the last event. */
async function arrivals(receiver: Child, work: () => Promise<void>): Promise<number> {
  const all = receiver.ask<{ requests: number }>({ events } satisfies Expect)
  const started = performance.now()
  const [{ requests }] = await Promise.all([all, work()])
  // After `work` as well: the message about its end may arrive later than the receiver's.
  const ended = performance.now()
  if (requests !== events) throw new Error(`${requests} requests for ${events} events`)
  return ended - started
}

/** Creates paused endpoints with their share of the events, all due. */
async function dueDeliveries(stack: Stack, urls: readonly string[], count: number): Promise<string[]> {
  const endpoints = urls.map((url) => ({ id: newId(), url }))
  await stack.db.tx(async (tx) => {
    await tx.query(
      `insert into webhook_endpoints (id, business_id, url, sealed_secret, status, paused_reason, paused_at)
       select id, $1, url, secret, 'paused', 'owner', now() from unnest($2::uuid[], $3::text[], $4::bytea[]) as t(id, url, secret)`,
      [
        stack.businessId,
        endpoints.map(({ id }) => id),
        urls,
        endpoints.map(({ id }) => sealWebhookSecret(new Secret(appKey), id, new Secret(webhookSecret))),
      ],
    )
    const [at] = await tx.query<{ now: Date; last: string }>(
      `insert into event_sequences (business_id, last) values ($1, $2)
       on conflict (business_id) do update set last = event_sequences.last + $2 returning date_trunc('milliseconds', now()) as now, last`,
      [stack.businessId, count],
    )
    const ids = Array.from({ length: count }, newId)
    await tx.query(
      `insert into events (id, created_at, business_id, sequence, type, data)
       select id, $1, $2, $3::bigint - $4::bigint + n, 'transaction.detected', $5 from unnest($6::uuid[]) with ordinality as t(id, n)`,
      [at?.now, stack.businessId, at?.last, count, sampleEvent, ids],
    )
    await tx.query(
      `with made as (
         insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, tx_id)
         select id, $1, event_id, $2, endpoint_id, 'transaction', 'transaction.detected', $3, $4, $5, $6, $7
         from unnest($8::uuid[], $9::uuid[], $10::uuid[]) as t(id, event_id, endpoint_id)
         returning id, created_at, endpoint_id)
       insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at) select id, created_at, endpoint_id, now() from made`,
      [
        at?.now,
        stack.businessId,
        sampleEvent.chain,
        sampleEvent.address,
        sampleEvent.symbol,
        sampleEvent.amount,
        sampleEvent.txId,
        ids.map(newId),
        ids,
        ids.map((_, i) => endpoints[i % endpoints.length]?.id),
      ],
    )
  })
  await stack.db.query('analyze webhook_deliveries, webhook_queue, events, webhook_attempts')
  return endpoints.map(({ id }) => id)
}

/** Activates the endpoints and notifies the worker. */
async function activate(stack: Stack, endpoints: readonly string[]): Promise<void> {
  await stack.db.query(
    `with activated as (
       update webhook_endpoints set status = 'active', paused_reason = null, paused_at = null where id = any($1::uuid[]) returning id)
     select pg_notify('cowry_deliveries', id::text) from activated`,
    [endpoints],
  )
}

/** Stops deliveries to the hanging endpoints. */
async function deactivate(stack: Stack, endpoints: readonly string[]): Promise<void> {
  if (endpoints.length === 0) return
  await stack.db.query(
    "update webhook_endpoints set status = 'paused', paused_reason = 'owner', paused_at = now() where id = any($1::uuid[])",
    [endpoints],
  )
  await stack.db.query('delete from webhook_queue where endpoint_id = any($1::uuid[])', [endpoints])
}

async function undelivered(stack: Stack, endpoints: readonly string[]): Promise<number> {
  const [row] = await stack.db.query<{ left: number }>(
    "select count(*)::int as left from webhook_deliveries where endpoint_id = any($1::uuid[]) and (status <> 'delivered' or attempts_count <> 1)",
    [endpoints],
  )
  return row?.left ?? -1
}
