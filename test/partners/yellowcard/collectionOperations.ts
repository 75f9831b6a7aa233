import { type Collection, shownCollection } from './collection.ts'
import { newCollection } from './collectionRequest.ts'
import type { Collections } from './collections.ts'
import { Refusal } from './refusal.ts'

interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

const operation =
  /^\/business\/(receive|receives|collections)(?:\/(sequence-id\/)?([^/]+))?(?:\/(accept|deny|cancel|refund))?$/

/** Carries out one request on collections; null: it is not on collections. @throws Refusal */
export function onCollections(
  { collections, names }: { collections: Collections; names: 'both' | 'send' | 'payments' },
  { method, path, query, body }: Asked,
): object | null {
  const [matched, name, ofSequence, rawId, decision] = operation.exec(path) ?? []
  if (matched === undefined) return null
  const isServed = names === 'both' || (name === 'collections') === (names === 'payments')
  if (!isServed) throw new Refusal(404, 'NotFound', 'no such path')
  if (rawId === undefined) {
    if (method === 'GET' && name !== 'receive')
      return { collections: pageOf(collections, query).map((each) => shownCollection(each)) }
    if (method === 'POST' && name !== 'receives') return submit(collections, body)
    throw new Refusal(404, 'NotFound', 'no such path')
  }
  const id = decodeURIComponent(rawId)
  const bySequence = (sequenceId: string) =>
    collections.lags ? undefined : collections.bySequence(sequenceId)
  const collection = ofSequence === undefined ? collections.byId(id) : bySequence(id)
  if (!collection || name === 'receives') throw new Refusal(404, 'CollectionNotFoundError', '')
  if (decision === undefined && method === 'GET') return shownCollection(collection)
  if (decision === undefined || method !== 'POST') throw new Refusal(404, 'NotFound', 'no such path')
  return decide(collections, collection, decision)
}

function submit(collections: Collections, body: unknown): object {
  const request = newCollection(body)
  // Not on their page of errors; as antinvestor/service-payments has it of payments.
  if (collections.bySequence(request.sequenceId))
    throw new Refusal(400, 'PaymentValidationError', 'Duplicate sequenceId')
  return shownCollection(collections.add(request))
}

function decide(collections: Collections, collection: Collection, decision: string): object {
  const invalid = (message: string) => new Refusal(400, 'PaymentInvalidState', message)
  switch (decision) {
    case 'accept':
    case 'deny': {
      if (collection.status === 'expired')
        throw new Refusal(400, 'PaymentExpired', 'Collection request expired')
      if (!(decision === 'accept' ? collections.accept(collection) : collections.deny(collection)))
        throw invalid(`collection is ${collection.status}`)
      // The answer to a denial has `denied` (reference/deny-collection-request), docs/events-api reports that
      // it is `failed`.
      return decision === 'accept' ? shownCollection(collection) : shownCollection(collection, 'denied')
    }
    case 'cancel':
      requireNigeria(collection)
      if (!collections.cancel(collection)) throw invalid('collection is not in processing/pending state.')
      return shownCollection(collection)
    default:
      requireNigeria(collection)
      if (!collections.refund(collection))
        throw invalid('collection is not in complete/cancelled/refund_failed state.')
      return shownCollection(collection)
  }
}

/**
 * "This is only available in Nigeria for receive requests" (docs/cancellation-refunds-collection-requests);
 * the code is not documented.
 */
function requireNigeria({ country }: Collection): void {
  if (country !== 'NG') throw new Refusal(400, 'PaymentValidationError', 'only available in Nigeria')
}

const day = 24 * 3_600_000

/**
 * A page of a list (reference/list-collections, docs/list-collections-guide-api): `startAt` counts from one
 * there.
 */
function pageOf(collections: Collections, query: URLSearchParams): Collection[] {
  const time = (name: string): number | null => {
    const text = query.get(name)
    if (text === null) return null
    if (Number.isNaN(Date.parse(text)))
      throw new Refusal(400, 'InvalidInput', `invalid ${name} passed in request`)
    return Date.parse(text)
  }
  const [start, end] = [time('startDate'), time('endDate')]
  const now = collections.now()
  // "Both have to be provided else the default is used."
  const [from, to] = start !== null && end !== null ? [start, end] : [now - day, now]
  const field = (name: string): 'createdAt' | 'updatedAt' =>
    query.get(name) === 'updatedAt' ? 'updatedAt' : 'createdAt'
  const [range, sort] = [field('rangeBy'), field('sortBy')]
  const inRange =
    range === 'updatedAt'
      ? between(collections.byChange(), from, to)
      : collections.all().filter((each) => each.createdAt >= from && each.createdAt <= to)
  const found =
    collections.hidden.size === 0 ? inRange : inRange.filter((each) => !collections.hidden.has(each.id))
  if (range !== sort) found.sort((a, b) => a[sort] - b[sort])
  if (query.get('orderBy') !== 'asc') found.reverse()
  const first = Math.max(Number(query.get('startAt') ?? 0) - collections.countsFrom, 0)
  return found.slice(first, first + Number(query.get('perPage') ?? 100))
}

/** Those that changed in a time, of all by their last change. */
function between(byChange: readonly Collection[], from: number, to: number): Collection[] {
  const firstWith = (is: (at: number) => boolean): number => {
    let [low, high] = [0, byChange.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (is((byChange[middle] as Collection).updatedAt)) high = middle
      else low = middle + 1
    }
    return low
  }
  return byChange.slice(
    firstWith((at) => at >= from),
    firstWith((at) => at > to),
  )
}
