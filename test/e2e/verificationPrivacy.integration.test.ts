import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { folderErasureLog } from '../../src/verification/erasures/erasureLog.ts'
import { eraseOld } from '../../src/verification/keepUp.ts'
import { foundIn, type Sink, type SinkName, sinksOf } from '../promises/sinks.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { png } from '../support/sampleFiles.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { urlAs } from '../support/template.ts'
import {
  creditOf,
  type RequestVerification,
  requestVerification,
  verificationUrl,
} from '../support/verificationHost.ts'
import { bodyOf, personCanary, uploadForm } from '../support/verificationSamples.ts'
import { waitFor } from '../support/waitFor.ts'

// Where personal data are not: they are planted in requests, and searched for in everything that the
// processes write.

let stack: Stack
let redis: Redis
let ask: RequestVerification
let secret: string
let sinks: Record<SinkName, Sink>
const folder = mkdtempSync(join(tmpdir(), 'cowry-privacy-'))
const errors: string[] = []
const price = 250_000n

/** In plain, and as bytes may be written. */
const formsOf = (text: string) => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(text),
]
const fileCanary = Buffer.from('canary-in-the-bytes-of-a-file')
const canaries: Record<string, string[]> = Object.fromEntries(
  [
    ...Object.values(personCanary).flatMap((value) => (typeof value === 'string' ? [value] : [value.note])),
    ...ofOthers(),
  ].map((text) => [text, formsOf(text)]),
)
function ofOthers(): string[] {
  return ['canary-of-a-subject', 'canary-of-a-file-name', fileCanary.toString(), 'Wrongcanary']
}

beforeAll(async () => {
  const env = { VERIFY_UPLOADS: folder, LOG_LEVEL: 'trace' }
  stack = await createStack({
    processes: ['api', 'worker', 'verification'],
    traced: true,
    separate: true,
    env,
  })
  redis = new Redis(stack.redis.url)
  sinks = sinksOf(stack, redis, errors)
  ask = requestVerification(stack)
  await setPrice(stack.db, 'NG', 'passport', price)
  await setProductPrice(stack.db, 'assessment', price)
  await setProductPrice(stack.db, 'decision', price)
  await addCredit(stack.db, stack.businessId, 1000n * price)
  secret = (await makeVerificationKey(stack.db, stack.businessId)).secret.reveal()
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
  rmSync(folder, { recursive: true })
})

/** A file that a canary is in. */
const file = () =>
  Buffer.concat([png(4000).subarray(0, 2000), fileCanary, png(4000).subarray(2000 + fileCanary.length)])

async function upload(): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${verificationUrl(stack)}/uploads`, {
    method: 'POST',
    headers,
    body: uploadForm(file()),
  })
  return ((await response.json()) as { id: string }).id
}
const verify = async (more: object = {}) =>
  (await ask('POST', '/verify', secret, { ...bodyOf('createVerification'), ...more })).body.id
const statusOf = async (id: string) => (await ask('GET', `/status/${id}`, secret)).body.status
const ends = (id: string) =>
  waitFor('its end', async () => !['queued', 'processing'].includes(String(await statusOf(id))))
const erase = (id: string, key = secret) => ask('DELETE', `/verifications/${id}`, key)

interface Made {
  id: string
  media: string
}
async function makeEnded(): Promise<Made> {
  const media = await upload()
  const id = await verify({ documents: [media] })
  await ends(id)
  return { id, media }
}

/** Everything of a request in the database, as it is in a backup. */
const rowsOf = async (id: string) => ({
  request:
    (
      await stack.db.query<{ row: string }>(
        'select to_jsonb(v)::text as row from verifications v where id = $1',
        [id],
      )
    )[0]?.row ?? '',
  fields: await stack.db.query<{ name: string; sealed: Buffer }>(
    'select name, sealed from verification_fields where verification_id = $1',
    [id],
  ),
})
async function restoreRows(
  id: string,
  { request, fields }: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  const { data_key: dataKey } = JSON.parse(request) as { data_key: string }
  await stack.db.query(
    'update verifications set data_key = $2::bytea, erased_at = null, erasure_noted_at = null where id = $1',
    [id, dataKey],
  )
  for (const { name, sealed } of fields)
    await stack.db.query(
      'insert into verification_fields (verification_id, name, sealed) values ($1, $2, $3)',
      [id, name, sealed],
    )
}

describe('personal data', () => {
  test('are in no log, row, job, error, metric, event, delivery or file', async () => {
    const { id, media } = await makeEnded()
    const failed = await verify({ idNumber: 'TEST-EXPIRED' })
    await ends(failed)
    const decision = await ask('POST', '/decisions', secret, bodyOf('createDecision'))
    const assessment = await ask('POST', '/risk-assessments', secret, bodyOf('createRiskAssessment'))
    expect([decision.status, assessment.status]).toEqual([200, 202])
    // A person's data are read, and requests with them are refused.
    expect((await ask('GET', `/result/${id}`, secret)).body.person).toMatchObject({
      firstName: personCanary.firstName,
    })
    expect((await ask('GET', `/export/${id}`, secret)).body.person).toMatchObject({
      idNumber: personCanary.idNumber,
    })
    const got = await fetch(`${verificationUrl(stack)}/result/${id}/media/${media}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(Buffer.from(await got.arrayBuffer()).includes(fileCanary)).toBe(true)
    const read = await stack.db.query(
      "select action, target from audit_log where action ~ '_read$|exported$' order by id",
    )
    expect(read).toEqual([
      { action: 'verification.result_read', target: id },
      { action: 'verification.exported', target: id },
      { action: 'verification.media_read', target: media },
    ])
    const { requestId } = (await ask('GET', `/status/${id}`, secret)).body
    const refused = [
      { ...bodyOf('createVerification'), requestId },
      { ...bodyOf('createVerification'), country: 'Wrongcanary' },
      { ...bodyOf('createVerification'), dob: 'Wrongcanary' },
      { ...bodyOf('createVerification'), country: 'KE' },
      { ...bodyOf('createVerification'), documents: ['Wrongcanary'] },
      { ...bodyOf('createVerification'), idNumber: 'Wrongcanary!', firstName: ['Wrongcanary'] },
      { ...bodyOf('createVerification'), requestId: assessment.body.requestId },
    ]
    for (const body of refused) {
      const answer = await ask('POST', '/verify', secret, body)
      if (answer.status >= 400) errors.push(JSON.stringify(answer.body))
    }
    expect(errors.length).toBeGreaterThan(4)
    const delivered = () => stack.receiver.received.filter(({ type }) => type.startsWith('verification.'))
    await waitFor('the webhooks', async () => delivered().length >= 2)
    expect(delivered().map(({ data }) => data.id)).toEqual(expect.arrayContaining([id, failed]))

    for (const [name, read] of Object.entries(sinks))
      expect([name, foundIn(await read(), canaries)]).toEqual([name, []])
    expect(foundIn(JSON.stringify([stack.receiver.received, stack.receiver.forged]), canaries)).toEqual([])
    const names = readdirSync(folder)
    expect(names).toContain(media)
    for (const name of names)
      expect(foundIn(readFileSync(join(folder, name)).toString('latin1'), canaries)).toEqual([])
    // The sinks do hold what is no personal data.
    expect(foundIn(await sinks.row(), { id: [id], requestId: [String(requestId)] })).toEqual([
      'id',
      'requestId',
    ])
    expect(foundIn(await sinks.log(), { started: ['verification listening'] })).toEqual(['started'])
  })

  test('that were exchanged between their fields in the database are not shown', async () => {
    const { id } = await makeEnded()
    await stack.db.query(
      `update verification_fields f set sealed = g.sealed from verification_fields g where f.verification_id = $1 and g.verification_id = $1
         and f.name = any(array['firstName', 'lastName']) and g.name = any(array['firstName', 'lastName']) and f.name <> g.name`,
      [id],
    )
    expect((await ask('GET', `/result/${id}`, secret)).status).toBe(500)
  })

  test.each(['api', 'worker', 'indexer', 'treasury'] as const)(
    'are closed to the role of %s',
    async (role) => {
      const db = openModelDb(urlAs(role, stack.databaseUrl), 1)
      const reads = [
        'select sealed from verification_fields',
        'select data_key from verifications',
        'select * from verifications',
        'select data_key from verification_uploads',
        'delete from verification_fields',
        'update verifications set data_key = null',
      ]
      for (const sql of reads) await expect(db.query(sql)).rejects.toThrow(/permission denied/)
      await db.close()
    },
  )
})

describe('after its erasure', () => {
  test('nothing of a person is left: neither field, key nor file', async () => {
    const { id, media } = await makeEnded()
    const before = await rowsOf(id)
    const { data_key: dataKey } = JSON.parse(before.request) as { data_key: string }
    const sealed = {
      dataKey: [dataKey.replace('\\x', '')],
      field: before.fields.map((field) => field.sealed.toString('hex')),
    }
    expect(foundIn(await sinks.row(), sealed)).toEqual(['dataKey', 'field'])
    expect((await erase(id)).status).toBe(200)
    expect(foundIn(await sinks.row(), sealed)).toEqual([])
    expect(existsSync(join(folder, media))).toBe(false)
    expect((await ask('GET', `/result/${id}`, secret)).body).toMatchObject({
      status: 'completed',
      person: null,
      media: [],
    })
    expect((await ask('GET', `/export/${id}`, secret)).body).toMatchObject({ person: null, price: '0.25' })
  })

  test('an assessment that waits for credit has ended, costs nothing and is not resumed; one under way is 409', async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    const key = (await makeVerificationKey(stack.db, businessId)).secret.reveal()
    const pending = await ask('POST', '/risk-assessments', key, bodyOf('createRiskAssessment'))
    const id = String(pending.body.statusUrl).split('/').at(-1) ?? ''
    expect([pending.status, pending.body.pending]).toEqual([402, true])
    expect((await erase(id, key)).body).toMatchObject({
      status: 'error',
      reasonCode: 'data_erased',
      erasedAt: expect.any(String),
    })
    await addCredit(stack.db, businessId, price)
    const later = await ask('POST', '/risk-assessments', key, bodyOf('createRiskAssessment'))
    await waitFor(
      'the later one',
      async () => (await ask('GET', `/risk-assessments/${later.body.id}`, key)).body.status === 'completed',
    )
    expect(await creditOf(stack, businessId)).toEqual({ credit: 0n, credit_held: 0n })
    expect((await ask('GET', `/risk-assessments/${id}`, key)).body).toMatchObject({
      status: 'error',
      riskLevel: null,
    })
    const open = await verify({ idNumber: 'TEST-OTHER' })
    expect((await erase(open)).body.error).toBe('verification_not_ended')
  })

  test('the retention reaches what waits for credit too', async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    const key = (await makeVerificationKey(stack.db, businessId)).secret.reveal()
    const ids: string[] = []
    for (let i = 0; i < 2; i++) {
      const { body } = await ask('POST', '/risk-assessments', key, bodyOf('createRiskAssessment'))
      ids.push(String(body.statusUrl).split('/').at(-1) ?? '')
    }
    const [old = '', young = ''] = ids
    await stack.db.query("update verifications set created_at = now() - interval '31 days' where id = $1", [
      old,
    ])
    await eraseOld({ db: stack.db, log: { warn() {} } as never, uploads: null, retentionDays: 30 })
    expect((await ask('GET', `/risk-assessments/${old}`, key)).body).toMatchObject({
      status: 'error',
      erasedAt: expect.any(String),
    })
    expect((await ask('GET', `/risk-assessments/${young}`, key)).body).toMatchObject({
      status: 'pending_credit',
      erasedAt: null,
    })
  })
})

describe('a restored database', () => {
  test('has data again that were erased: they are erased before the host is ready, and what is under way costs nothing', async () => {
    const [ended, kept] = [await makeEnded(), await makeEnded()]
    const backup = await rowsOf(ended.id)
    expect((await erase(ended.id)).status).toBe(200)
    const underWay = await verify({ idNumber: 'TEST-OTHER' })
    const { credit, credit_held: held } = await creditOf(stack)
    await stack.stop('verification')

    await restoreRows(ended.id, backup)
    // Erased after the backup was made, in which it was still under way; and an id that the backup does not
    // know.
    await folderErasureLog(folder).append([underWay, newId()])
    expect(await rowsOf(ended.id)).toMatchObject({ fields: backup.fields })
    const attempts = () => stack.db.query('select attempts from verifications where id = $1', [underWay])
    await stack.db.query('update verifications set next_attempt_at = now() where id = $1', [underWay])
    const before = await attempts()

    await stack.start('verification')
    for (const id of [ended.id, underWay]) {
      expect((await ask('GET', `/result/${id}`, secret)).body).toMatchObject({
        person: null,
        erasedAt: expect.any(String),
      })
      expect((await rowsOf(id)).fields).toEqual([])
    }
    expect(await statusOf(underWay)).toBe('error')
    expect(await attempts()).toEqual(before)
    expect(await creditOf(stack)).toEqual({
      credit: (credit ?? 0n) + price,
      credit_held: (held ?? 0n) - price,
    })
    expect((await ask('GET', `/result/${kept.id}`, secret)).body.person).toMatchObject({
      firstName: personCanary.firstName,
    })
    await stack.stop('verification')
    // Again: nothing more to do.
    await stack.start('verification')
    expect(stack.logs().match(/a restored database had data/g)).toHaveLength(1)
  })
})
