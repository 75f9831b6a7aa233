import { syncWhenDue } from '../src/collections/startSync.ts'
import { createCollectionPartner } from '../src/partners/yellowcard/collectionPartner.ts'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { collectionRequest } from '../test/support/collectionRequests.ts'
import { makeManyCollections } from '../test/support/manyCollections.ts'
import { type OpenCollections, openCollections } from '../test/support/openCollections.ts'
import { someCollection } from '../test/support/sampleRequests.ts'
import { createStack, partnerCredentials, type Stack } from '../test/support/stack.ts'
import { interleave, ratio, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { figure, type Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'

const bench = 'collections'
const [rounds, warmUp, each, clients, rows] = [5, 1, 200, 10, 2000]

/**
 * Fiat collections per second, through the API until the partner's bank details are answered, and through
 * rounds of the partner's list.
 */
export async function* benchCollections(scope: Scope): AsyncGenerator<Report> {
  yield await creations(scope)
  yield await syncs(scope)
}

/** Next to bare requests to the partner's stand-in. */
async function creations(outer: Scope): Promise<Report> {
  const scope = outer.keep(createScope(), (opened) => opened.close())
  progress('starting the API')
  const stack = scope.keep(await createStack({ processes: ['api'], env: asInProduction() }), (opened) =>
    opened.close(),
  )
  const series = await interleave(bench, { rounds, warmUp }, async () => ({
    bare: await bare(stack),
    created: await perSecond(() => create(stack)),
  }))
  await scope.close()
  return {
    figures: [
      figure(bench, 'bare requests to the stand-in', spread(series.bare), 'collections/s', { ratio: 1 }),
      figure(bench, 'created through the API', spread(series.created), 'collections/s', {
        ratio: ratio(series.created, series.bare),
      }),
    ],
    notes: [
      `collections: ${rounds} rounds of ${each} collections of one business, as many bare requests, each by ${clients} clients; until the answer with the bank account. Stand-in, Postgres, API and clients share the cores.`,
    ],
  }
}

function bare({ partner: { url } }: Stack): Promise<number> {
  const { apiKey, secretKey } = partnerCredentials
  const partner = createCollectionPartner({ url, apiKey, secretKey: new Secret(secretKey) })
  return perSecond(() => partner.submit(collectionRequest({ sequenceId: newId() })))
}

async function create(stack: Stack): Promise<void> {
  const { status, body } = await stack.api('POST', '/fiat-collections', someCollection())
  if (status !== 201) throw new Error(`a collection was not made: ${status} ${JSON.stringify(body)}`)
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const client = async () => {
    for (let i = 0; i < each / clients; i++) await work()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (1000 * each) / (performance.now() - started)
}

/** Next to reading the same pages of the list, without the pauses that keep to the partner's limit. */
async function syncs(scope: Scope): Promise<Report> {
  const open = scope.keep(await openCollections({}, { timeoutMs: 5000 }), (opened) => opened.close())
  const businessId = await open.business()
  const series = await interleave(`${bench}, rows`, { rounds, warmUp }, async () => {
    const from = new Date(open.standIn.clock.now())
    open.standIn.move(60_000)
    const made = await makeManyCollections(open, businessId, rows)
    for (const collection of made) open.standIn.collections.receive(collection)
    await open.standIn.collections.settled()
    return { read: await read(open, from), synced: await synced(open, from) }
  })
  return {
    figures: [
      figure(bench, "read from the partner's list", spread(series.read), 'rows/s', { ratio: 1 }),
      figure(bench, 'synced by a round', spread(series.synced), 'rows/s', {
        ratio: ratio(series.synced, series.read),
      }),
    ],
    notes: [
      `collections, rows: ${rounds} rounds of ${rows} collections of one business, each of which is completed: its row, an event and the job of its wallet are stored, a page of 100 in one transaction. At the partner's 10 calls a second a round reads 1,000 rows/s at most.`,
    ],
  }
}

async function read({ ctx, standIn }: OpenCollections, startDate: Date): Promise<number> {
  const started = performance.now()
  let count = 0
  for (let page = 1, isLast = false; !isLast; page++) {
    const list = await ctx.partner.list({
      startDate,
      endDate: new Date(standIn.clock.now()),
      page,
      perPage: 100,
    })
    count += list.collections.length
    isLast = list.isLast
  }
  return (1000 * count) / (performance.now() - started)
}

async function synced({ ctx, db }: OpenCollections, from: Date): Promise<number> {
  await db.query(
    "insert into collection_syncs (partner, next_at) values ('yellowcard', now()) on conflict (partner) do update set next_at = now()",
  )
  // What is older than the overlap of rounds is of the rounds before.
  await db.query('update collection_syncs set synced_until = $1', [new Date(from.getTime() + 10 * 60_000)])
  const started = performance.now()
  const round = await syncWhenDue(ctx)
  if (round?.changed !== rows) throw new Error(`a round has stored ${round?.changed} of ${rows} changes`)
  return (1000 * rows) / (performance.now() - started)
}
