import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { verifyingFailpoints } from '../../src/capabilities.ts'
import type { VerifyingFailpoint } from '../../src/platform/failpoints.ts'
import { newId } from '../../src/platform/ids.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** A verification host that is killed: one outcome, one charge, one event. */

let stack: Stack
let key: string
const proofs = mkdtempSync(join(tmpdir(), 'cowry-verifying-'))
const reached = new Set<VerifyingFailpoint>()
const price = 250_000n

beforeAll(async () => {
  stack = await createStack({ processes: [] })
  await setPrice(stack.db, 'NG', 'passport', price)
  await setProductPrice(stack.db, 'decision', price)
  await addCredit(stack.db, stack.businessId, 100n * price)
  key = (await makeVerificationKey(stack.db, stack.businessId)).secret.reveal()
})
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

async function request(process: string, path: string, body: object): Promise<{ status: number; id: string }> {
  const response = await fetch(
    `http://127.0.0.1:${stack.processes.get(process)?.verifyPort()}/api/kyc${path}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  return { status: response.status, id: ((await response.json()) as { id: string }).id }
}
const verify = (process: string, requestId: string) =>
  request(process, '/verify', { requestId, country: 'NG', idType: 'passport', idNumber: 'TEST-SELFIE' })
const decide = (process: string, requestId: string) =>
  request(process, '/decisions', { requestId, type: 'transaction', subject: 'TEST-DENY' })

/** An assessment that was stored without credit, and is resumed when there is some. */
test('SIGKILL at verification.resumed: it is resumed once', async () => {
  const name = 'verification.resumed'
  const proof = join(proofs, name)
  const businessId = await addBusiness(stack, await addPerson(stack))
  const ownKey = (await makeVerificationKey(stack.db, businessId)).secret.reveal()
  await setProductPrice(stack.db, 'assessment', price)
  const doomed = stack.launch(
    'verification',
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: name },
  )
  await doomed.ready(120_000)
  const response = await fetch(`http://127.0.0.1:${doomed.verifyPort()}/api/kyc/risk-assessments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: `r-${newId()}`, firstName: 'Ada', lastName: 'Obi' }),
  })
  expect(response.status).toBe(402)
  await addCredit(stack.db, businessId, 2n * price)
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
  await stack.start('verification')
  const ended = () =>
    stack.db.query("select id from verifications where business_id = $1 and status = 'completed'", [
      businessId,
    ])
  await waitFor('its end', async () => (await ended()).length === 1)
  const entries = await stack.db.query(
    "select kind from ledger_entries where cause_kind = 'verification' and business_id = $1 order by step",
    [businessId],
  )
  expect(entries).toEqual([{ kind: 'verification.held' }, { kind: 'verification.taken' }])
  await stack.stop('verification')
})

const ofOthers = verifyingFailpoints.filter((name) => name !== 'verification.resumed')

const cases = [
  {
    kind: 'a verification',
    send: verify,
    status: 'failed',
    answer: null,
    events: [{ type: 'verification.failed' }],
  },
  { kind: 'a decision', send: decide, status: 'completed', answer: 'deny', events: [] },
].flatMap((of) => ofOthers.map((name) => ({ ...of, name })))

test.each(cases)(
  'SIGKILL at $name of $kind: one outcome, one charge',
  async ({ name, kind, send, status: ending, answer, events }) => {
    const as = `${name} of ${kind}`
    const proof = join(proofs, as)
    const requestId = `r-${newId()}`
    const doomed = stack.launch(
      'verification',
      { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
      { as },
    )
    await doomed.ready(120_000)
    await send(as, requestId).catch(() => null)
    await waitFor(`the kill at ${name}`, async () => !doomed.running())
    expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
    reached.add(name)

    await stack.start('verification')
    const { status, id } = await send('verification', requestId)
    expect([200, 202]).toContain(status)
    // The claim of the killed process runs out.
    await stack.db.query('update verifications set next_attempt_at = now() where next_attempt_at is not null')
    const ended = () =>
      stack.db.query<{ answer: string | null }>(
        'select answer from verifications where id = $1 and status = $2',
        [id, ending],
      )
    await waitFor('its end', async () => (await ended()).length === 1)
    expect(await ended()).toEqual([{ answer }])
    const entries = await stack.db.query(
      "select kind from ledger_entries where cause_kind = 'verification' and reference = $1 order by step",
      [id],
    )
    expect(entries).toEqual([{ kind: 'verification.held' }, { kind: 'verification.taken' }])
    expect(await stack.db.query("select type from events where data->>'id' = $1", [id])).toEqual(events)
    expect(
      await stack.db.query('select count(*)::int as count from verifications where request_id = $1', [
        requestId,
      ]),
    ).toEqual([{ count: 1 }])
    await stack.stop('verification')
  },
)

test('FLUSHALL while checks are made: each has one outcome, one charge, one event', async () => {
  const redis = new Redis(stack.redis.url)
  await stack.start('verification')
  const ids: string[] = []
  for (let round = 0; round < 4; round++) {
    const sent = Array.from({ length: 5 }, () => verify('verification', `f-${newId()}`))
    await redis.flushall()
    ids.push(...(await Promise.all(sent)).map(({ id }) => id))
  }
  redis.disconnect()
  const count = async (sql: string) => (await stack.db.query(sql, [ids])).length
  await waitFor(
    'all ends',
    async () =>
      (await count("select 1 from verifications where id = any($1) and status = 'failed'")) === ids.length,
  )
  expect(new Set(ids).size).toBe(20)
  expect(await count("select 1 from events where data->>'id' = any($1::text[])")).toBe(20)
  expect(
    await count(
      "select 1 from ledger_entries where reference = any($1::text[]) and cause_kind = 'verification'",
    ),
  ).toBe(40)
  await stack.stop('verification')
})

test('every failpoint was reached', () => {
  expect([...reached].sort()).toEqual([...verifyingFailpoints].sort())
})
