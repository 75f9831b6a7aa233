import { eventTypes } from '../src/capabilities.ts'
import { splitQuery } from '../src/platform/pages.ts'
import { listDeliveries } from '../src/webhooks/listDeliveries.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { deliveryCount, type MadeDeliveries, makeDeliveries } from './deliveryRows.ts'
import { measureLists, type Question } from './lists.ts'
import { asInProduction } from './processes.ts'
import { digits, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'deliveries'
const dayMs = 86_400_000

/** GET /webhooks of a business that owns nine in ten of five million deliveries, compared with `select 1`. */
export async function benchDeliveryLists(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ processes: ['api'], env: asInProduction() }), (each) =>
    each.close(),
  )
  const began = performance.now()
  const made = await makeDeliveries(stack.databaseUrl, stack.businessId)
  const seconds = (performance.now() - began) / 1000
  const list = {
    bench,
    path: '/webhooks',
    async answer(db: Parameters<typeof listDeliveries>[0]['db'], query: Question['query']) {
      const { filter, request } = splitQuery(query)
      const { since, until, ...rest } = filter as Record<string, string>
      const times = { ...(since && { since: new Date(since) }), ...(until && { until: new Date(until) }) }
      const { total, webhooks } = await listDeliveries(
        { db, eventTypes },
        stack.businessId,
        { ...rest, ...times },
        request,
      )
      return { total, rows: webhooks.length }
    },
  }
  const { figures, note } = await measureLists(
    scope,
    stack,
    list,
    questionsAbout(made, await placesIn(stack)),
  )
  return {
    figures,
    notes: [
      `${deliveryCount.toLocaleString('en')} deliveries of 13 weeks in weekly partitions, inserted in ${digits(seconds)} s; ${made.ofLarge.toLocaleString('en')} of them belong to the calling business.`,
      note,
    ],
  }
}

/** A cursor in the middle of the list, and an event. */
async function placesIn(stack: Stack): Promise<{ middle: string; eventId: string }> {
  const [row] = await stack.db.query<{ id: string; eventId: string }>(
    `select id, event_id as "eventId" from webhook_deliveries
     where business_id = $1 and topic = 'transaction' and created_at > now() - interval '45 days' order by id limit 1`,
    [stack.businessId],
  )
  if (!row) throw new Error('no delivery of the middle of the list was found')
  return { middle: Buffer.from(row.id).toString('base64url'), eventId: row.eventId }
}

function questionsAbout(
  { ofLarge, to, busyAddress, usualAddress, rareAddress, endpoints }: MadeDeliveries,
  { middle, eventId }: { middle: string; eventId: string },
) {
  const daysAgo = (days: number) => new Date(to.getTime() - days * dayMs).toISOString()
  const [max, min] = [endpoints[0] ?? '', endpoints.at(-1) ?? '']
  const questions: Question[] = [
    { what: 'no filter', query: {} },
    { what: '100 a page', query: { limit: 100 } },
    { what: 'page 500', query: { page: 500 } },
    { what: 'a cursor in the middle', query: { cursor: middle } },
    { what: 'the oldest first', query: { sort: 'ASC' } },
    { what: 'type=*', query: { type: '*' }, total: ofLarge },
    { what: 'type=*, page 500', query: { type: '*', page: 500 }, total: ofLarge },
    { what: 'type=*, a cursor in the middle', query: { type: '*', cursor: middle }, total: ofLarge },
    { what: 'type=session.*', query: { type: 'session.*' } },
    { what: 'a frequent type', query: { type: 'transaction.confirmed' } },
    { what: 'a rare type', query: { type: 'endpoint.test' }, total: deliveryCount / 250_000 },
    { what: 'status=delivered', query: { status: 'delivered' } },
    { what: 'status=failed', query: { status: 'failed' } },
    { what: 'status=pending', query: { status: 'pending' } },
    { what: 'status=failed, type=*', query: { status: 'failed', type: '*' } },
    { what: 'a frequent chain', query: { chain: 'ethereum' } },
    { what: 'a rare chain', query: { chain: 'stellar' } },
    { what: 'a busy address', query: { address: busyAddress }, total: 10_000 },
    { what: 'a usual address', query: { address: usualAddress } },
    { what: 'a rare address', query: { address: rareAddress, type: '*' }, total: deliveryCount / 1_000_000 },
    {
      what: 'an address without deliveries',
      query: { address: '0x000000000000000000000000000000000000dEaD' },
      total: 0,
    },
    { what: 'a busy endpoint', query: { endpointId: max } },
    { what: 'a quiet endpoint', query: { endpointId: min } },
    { what: 'an event', query: { eventId }, total: 1 },
    { what: 'a day in the past', query: { since: daysAgo(60), until: daysAgo(59) }, total: 10_000 },
    { what: 'since two months ago, failed', query: { since: daysAgo(60), status: 'failed', type: '*' } },
    {
      what: 'a chain and a type that never occur together',
      query: { chain: 'tron', type: 'transfer.confirmed' },
      total: 0,
    },
    {
      what: 'a busy address and a type that never occur together',
      query: { address: busyAddress, type: 'transfer.confirmed' },
      total: 0,
    },
    {
      what: 'the worst: a busy address, endpoint and chain, a frequent type that never occurs with them, page 500 of all time',
      query: {
        address: busyAddress,
        endpointId: max,
        chain: 'ethereum',
        type: 'transfer.confirmed',
        status: 'delivered',
        since: daysAgo(90),
        page: 500,
      },
      total: 0,
    },
  ]
  return questions
}
