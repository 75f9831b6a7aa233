import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { collectionFailpoints } from '../../src/capabilities.ts'
import { enqueue } from '../../src/platform/database/outbox.ts'
import type { CollectionFailpoint } from '../../src/platform/failpoints.ts'
import { someCollection } from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * api and worker are killed at each step of a collection: the partner never gets two, and each gets to its
 * end.
 */

let stack: Stack
const proofs = mkdtempSync(join(tmpdir(), 'cowry-collections-'))
const reached = new Set<CollectionFailpoint>()

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const readyOrOver = (process: CowryProcess) => Promise.race([process.ready().catch(() => {}), process.ended])

/**
 * What killed processes have claimed is due at once, and what was lost is long ago. @param but SQL for rows
 * that are left alone
 */
const expireLeases = (but = 'false') =>
  stack.db.query(`update fiat_collections set next_at = now(), submitted_at = submitted_at - interval '1 minute',
    absent_since = absent_since - interval '1 minute' where next_at is not null and not (${but})`)
/**
 * The same while a process runs, but for what it may be requesting from the partner now: a collection is
 * claimed for a minute, and waits half a minute for an answer.
 */
const expireMeanwhile = () =>
  setInterval(
    () =>
      void expireLeases(
        "next_at - now() between '27 s' and '30 s' or next_at - now() between '57 s' and '60 s'",
      ).catch(() => {}),
    300,
  )

async function killedAt(
  name: CollectionFailpoint,
  process: 'api' | 'worker',
  meanwhile: (doomed: CowryProcess) => Promise<unknown>,
): Promise<void> {
  const proof = join(proofs, `${process} ${name}`)
  await expireLeases()
  const doomed = stack.launch(
    process,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${process} ${name}` },
  )
  await readyOrOver(doomed)
  const timer = expireMeanwhile()
  await meanwhile(doomed).catch(() => {})
  await waitFor(`the kill at ${name}`, async () => !doomed.running()).finally(() => clearInterval(timer))
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

const atPartner = () => stack.partner.collections.all()
const stored = () =>
  stack.db.query<{ id: string; status: string }>('select id, status from fiat_collections order by id')

/** Collections that the customer has paid. */
const paid = new Set<string>()

/** A collection that the partner certainly does not have. */
async function unsent(): Promise<void> {
  stack.partner.lose = 'request'
  const { status, body } = await stack.api<{ id: string }>('POST', '/fiat-collections', someCollection())
  expect(status).toBe(202)
  await stack.db.query('update fiat_collections set submitted_at = null, next_at = now() where id = $1', [
    body.id,
  ])
}

test.each([
  'api.collection-stored',
  'collections.partner-submitted',
  'collections.partner-answered',
] as const)('the api is killed at %s', async (name) => {
  await killedAt(name, 'api', (doomed) =>
    fetch(`http://127.0.0.1:${doomed.port()}/api/v1/fiat-collections`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': stack.apiKey },
      body: JSON.stringify(someCollection()),
    }),
  )
})

test.each([
  'collections.enqueued',
  'collections.partner-claimed',
  'collections.partner-submitted',
  'collections.partner-answered',
  'collections.partner-followed',
] as const)('a worker is killed at %s', async (name) => {
  if (name === 'collections.partner-followed') {
    stack.partner.lose = 'answer'
    await stack.api('POST', '/fiat-collections', someCollection())
  } else await unsent()
  await killedAt(name, 'worker', async () => {})
})

test.each(['collections.page-taken', 'collections.synced', 'collections.settled'] as const)(
  'a worker is killed at %s',
  async (name) => {
    // What the round shows, or the worker requests meanwhile.
    const open = (await stored()).find(({ id, status }) => status === 'processing' && !paid.has(id))
    const made = open && stack.partner.collections.bySequence(open.id)
    if (!made) throw new Error('no collection is open')
    stack.partner.collections.receive(made)
    paid.add(open.id)
    await stack.db.query('update collection_syncs set next_at = now()')
    const [wallet] = await stack.db.query<{ id: string }>('select id from collection_wallets')
    await stack.db.tx((tx) =>
      enqueue(tx, 'collection-settlement', [{ walletId: wallet?.id ?? '', detectionIds: [] }]),
    )
    await killedAt(name, 'worker', async () => {})
  },
)

test('then each is at the partner once, with where to pay to, and what was paid is completed, with one event for each state', async () => {
  await expireLeases()
  await stack.start('worker')
  const timer = expireMeanwhile()
  const isDone = async () =>
    (await stored()).every(({ id, status }) => status === (paid.has(id) ? 'completed' : 'processing'))
  await waitFor('the collections', isDone, 60_000).finally(() => clearInterval(timer))
  await stack.stop('worker')
  const ids = (await stored()).map(({ id }) => id)
  expect(ids).toHaveLength(8)
  expect(
    atPartner()
      .map(({ sequenceId }) => sequenceId)
      .toSorted(),
  ).toEqual(ids)
  const [unnamed] = await stack.db.query<{ n: number }>(
    'select count(*)::int as n from fiat_collections where bank_account_number is null',
  )
  expect(unnamed?.n).toBe(0)
  const events = await stack.db.query<{ id: string; type: string }>(
    "select data->>'id' as id, type from events where data->>'id' = any($1)",
    [ids],
  )
  const expected = [
    ...ids.map((id) => `${id} collection.processing`),
    ...[...paid].map((id) => `${id} collection.completed`),
  ]
  expect(events.map(({ id, type }) => `${id} ${type}`).toSorted()).toEqual(expected.toSorted())
  expect(paid.size).toBe(3)
})

test('every failpoint of collections was reached', () => {
  expect([...reached].toSorted()).toEqual([...collectionFailpoints].toSorted())
})
