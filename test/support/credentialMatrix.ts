import { isDeepStrictEqual } from 'node:util'
import { expect } from '@jest/globals'
import type { Operation } from '../../api/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import { full } from './full.ts'
import { idsOf, type ListedOperation, nameOf, type SampleRecords, sampleOf } from './sampleRequests.ts'
import type { Stack } from './stack.ts'
import { sendUpgrade } from './upgrade.ts'

export interface Ask {
  headers: Record<string, string> | ((operation: Operation) => Record<string, string>)
  records?: SampleRecords
  /** Sends a broken request: an unknown field or parameter; invalid JSON; a body over every limit. */
  broken?: 'unknown' | 'torn' | 'long'
}

export interface ReceivedAnswer {
  listed: ListedOperation
  status: number
  body: Record<string, unknown>
  headers: Headers
}

/** Sends an operation's sample request with these headers and no others; a POST has an `Idempotency-Key`. */
export async function ask(
  stack: Stack,
  listed: ListedOperation,
  { headers, records, broken }: Ask,
): Promise<ReceivedAnswer> {
  const { method, operation, servers } = listed
  const { path, body } = sampleOf(listed, records)
  const base = servers[0] === '/' ? '' : servers[0]
  const spoilt = broken && !body ? `${path}${path.includes('?') ? '&' : '?'}mispelt=1` : path
  const sent = body && spoil(JSON.stringify(body), broken)
  const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}${base}${spoilt}`
  const allHeaders = {
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(method === 'post' ? { 'idempotency-key': newId() } : {}),
    ...(typeof headers === 'function' ? headers(operation) : headers),
  }
  if (isWebSocket(operation) && namesCredential(allHeaders)) {
    const { status, text, headers: answered } = await sendUpgrade(url, allHeaders)
    return { listed, status, body: JSON.parse(text) as Record<string, unknown>, headers: answered }
  }
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: allHeaders,
    ...(sent === undefined ? {} : { body: sent }),
  })
  return {
    listed,
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

const isWebSocket = ({ responses }: Operation) => responses['101'] !== undefined
/**
 * A WebSocket without a credential is opened: the credential is its first message. As any other request it is
 * refused.
 */
const namesCredential = (headers: Record<string, string>) =>
  'x-api-key' in headers || 'authorization' in headers

function spoil(text: string, how: Ask['broken']): string {
  if (how === undefined) return text
  return how === 'torn'
    ? text.slice(0, -1)
    : `${text.slice(0, -1)},"mispelt":"${'x'.repeat(how === 'long' ? 200_000 : 1)}"}`
}

/**
 * The same for many operations, twenty at once. @param request the same for all, or by an operation's index
 */
export async function requestEach(
  stack: Stack,
  all: readonly ListedOperation[],
  request: Ask | ((index: number) => Ask),
): Promise<ReceivedAnswer[]> {
  const requestOf = typeof request === 'function' ? request : () => request
  const received: ReceivedAnswer[] = []
  for (let i = 0; i < all.length; i += 20)
    received.push(
      ...(await Promise.all(all.slice(i, i + 20).map((listed, at) => ask(stack, listed, requestOf(i + at))))),
    )
  return received
}

/**
 * The content of every table, as a count and a digest of its rows, so that later tables are included;
 * partitions are read through theirs. Leaves out what changes by itself: times of last use, and unused
 * deposit addresses.
 */
export async function contentsOf({ db }: Pick<Stack, 'db'>): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const automatic = `array['last_used_at', 'last_used_address', 'last_seen_at']`
  const rows = await db.query<{ name: string; held: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*) || ' rows ' || coalesce(md5(string_agg((to_jsonb(t) - ${automatic})::text, ',' order by (to_jsonb(t) - ${automatic})::text)), '') as held
           from "${name}" t ${name === 'deposit_addresses' ? 'where taken_at is not null' : ''}`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, held }) => [name, held]))
}

/**
 * Without the records of a request that found nothing to do: its entry in the caller's own audit log, and its
 * answer by `Idempotency-Key`.
 */
export function withoutRequestRecords({
  audit_log: _,
  idempotency_keys: __,
  ...held
}: Record<string, string>): Record<string, string> {
  return held
}

/** An expected refusal; without `message` any message is accepted. */
export interface Refusal {
  status: number
  error: string
  message?: string | ((operation: Operation) => string)
}

export type RefusalOf = (operation: Operation) => Refusal
export const always = (refusal: Refusal) => (): Refusal => refusal

export const isWrite = (operation: Operation): boolean => operation['x-scope'] === 'write'

/** The status of an operation that was carried out. */
export function success({ responses }: Operation): number {
  if (responses['101']) return 101
  const statuses = Object.keys(responses).filter((status) => status.startsWith('2'))
  // A record that existed already is a 200, and so is work small enough to be done at once.
  return Number(statuses.includes('201') ? '201' : statuses[0])
}

/** The answer, with its request id replaced by whether it equals the header's. */
export const fullAnswer = ({ listed, status, body: { requestId, ...body }, headers }: ReceivedAnswer) => ({
  operation: nameOf(listed),
  status,
  body,
  named: requestId === headers.get('x-request-id'),
  cookies: headers.getSetCookie(),
})

/**
 * The expected answer about records of another business: that they do not exist, that nothing was removed, or
 * which field of a list is wrong.
 */
export function notFoundAnswer(listed: ListedOperation): {
  operation: string
  status: number
  content: unknown
} {
  const { operationId } = listed.operation
  const operation = nameOf(listed)
  if (/^removeMonitoredAddress(OfBusiness)?$/.test(operationId))
    return { operation, status: 200, content: { success: false } }
  if (/^setAutopayout$|^(create|check)PayoutBatch/.test(operationId))
    return { operation, status: 400, content: 'Invalid request body' }
  return { operation, status: 404, content: 'Not found' }
}

/** The actual answer, in the same form. */
export const briefAnswer = ({ listed, status, body }: ReceivedAnswer) => ({
  operation: nameOf(listed),
  status,
  content: status < 300 ? body : body.error,
})

/** Operations that answer with a list. */
export const lists = (all: readonly ListedOperation[]): ListedOperation[] =>
  all.filter(({ method, operation }) => method === 'get' && /^list[A-Z]/.test(operation.operationId))

/** True if an answer contains the id of one of these records. */
export function namesAnyOf(records: SampleRecords, { body }: Pick<ReceivedAnswer, 'body'>): boolean {
  const text = JSON.stringify(body)
  return [records.business, ...idsOf(records)].some((id) => text.includes(id))
}

export function expectNothingOf(records: SampleRecords, received: readonly ReceivedAnswer[]): void {
  expect(received.map((each) => [nameOf(each.listed), namesAnyOf(records, each)])).toEqual(
    received.map(({ listed }) => [nameOf(listed), false]),
  )
}

/** Operations that are to refuse a caller. */
export interface Refused {
  /** The caller, or its credential. */
  who: string
  all: readonly ListedOperation[]
  request: Pick<Ask, 'headers' | 'records'>
  refusal: RefusalOf
  /** Sends only requests that are broken so. */
  broken?: Ask['broken']
}

let rounds = 0

/**
 * Credentials are checked before the body. So every second request is broken, of each operation in turn; a
 * full run sends each both ways.
 */
async function askAll(stack: Stack, { all, request, broken }: Refused): Promise<ReceivedAnswer[]> {
  if (broken) return requestEach(stack, all, { ...request, broken })
  const round = rounds++
  const isBroken = (i: number) => (i + round) % 2 === 1
  const ways = full ? [() => false, () => true] : [isBroken]
  const received: ReceivedAnswer[] = []
  for (const way of ways)
    received.push(
      ...(await requestEach(stack, all, (i) => (way(i) ? { ...request, broken: 'unknown' } : request))),
    )
  return received
}

interface Asked {
  /** By row. */
  received: ReceivedAnswer[][]
  changedBy: string[]
  before: Record<string, string>
  after: Record<string, string>
}

/**
 * Calls all of them, and compares the tables once. If one changed, repeats each call by itself to name those
 * that change it.
 */
export async function requestRefused(stack: Stack, rows: readonly Refused[]): Promise<Asked> {
  const before = await contentsOf(stack)
  const received: ReceivedAnswer[][] = []
  for (const row of rows) received.push(await askAll(stack, row))
  const after = await contentsOf(stack)
  const changedBy: string[] = []
  if (!isDeepStrictEqual(before, after)) {
    for (const { who, all, request, broken } of rows) {
      for (const listed of all) {
        const now = await contentsOf(stack)
        for (const each of [request, { ...request, broken: broken ?? 'unknown' }])
          await ask(stack, listed, each)
        if (!isDeepStrictEqual(now, await contentsOf(stack))) changedBy.push(`${who}: ${nameOf(listed)}`)
      }
    }
  }
  return { received, changedBy, before, after }
}

export function expectNoChange({ changedBy, before, after }: Asked): void {
  expect({ changedBy, holds: after }).toEqual({ changedBy: [], holds: before })
}

/** Each answer is exactly the expected refusal. */
export function expectRefusals(
  { refusal }: Pick<Refused, 'refusal'>,
  received: readonly ReceivedAnswer[],
): void {
  const expected = received.map(({ listed }) => {
    const { status, error, message } = refusal(listed.operation)
    const text = typeof message === 'function' ? message(listed.operation) : message
    return {
      operation: nameOf(listed),
      status,
      body: { error, ...(text === undefined ? {} : { message: text }) },
      named: true,
      cookies: [],
    }
  })
  expect(received.map(fullAnswer)).toEqual(expected)
}

/** Every operation answers exactly so, also to a broken request, and no table changes. */
export async function expectRefused(
  stack: Stack,
  all: readonly ListedOperation[],
  request: Pick<Ask, 'headers' | 'records'>,
  refusal: RefusalOf,
  broken?: Ask['broken'],
): Promise<ReceivedAnswer[]> {
  const row: Refused = { who: 'the caller', all, request, refusal, ...(broken && { broken }) }
  const asked = await requestRefused(stack, [row])
  expectNoChange(asked)
  const [received = []] = asked.received
  expect(received.length).toBeGreaterThanOrEqual(all.length)
  expectRefusals(row, received)
  return received
}

/**
 * For callers that every operation refuses alike: a third of the operations, different ones for each caller.
 * The first caller, and each in a full run, gets all.
 */
export const thirdOf = (all: readonly ListedOperation[], index: number): readonly ListedOperation[] =>
  full || index === 0 ? all : all.filter((_, i) => i % 3 === index % 3)
