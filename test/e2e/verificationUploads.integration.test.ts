import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVerificationClient } from '../../client/index.ts'
import { newId } from '../../src/platform/ids.ts'
import { endVerification } from '../../src/verification/endVerification.ts'
import { dropUploads } from '../../src/verification/uploads/dropUploads.ts'
import { folderStore } from '../../src/verification/uploads/uploadStore.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice } from '../support/madeVerifications.ts'
import { jpeg, pdf, png, webp } from '../support/sampleFiles.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type AskVerification, askVerification, type VerificationBody, verificationUrl } from '../support/verificationHost.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
let ask: AskVerification
let secret: string
let publishable: string
let otherKey: string
const folder = mkdtempSync(join(tmpdir(), 'cowry-uploads-'))
const maxBytes = 26_214_400

const keyOf = async (businessId: string, kind: 'secret' | 'publishable' = 'secret') =>
  (await makeVerificationKey(stack.db, businessId, kind)).secret.reveal()

beforeAll(async () => {
  stack = await createStack({ processes: ['verification'], env: { VERIFY_UPLOADS: folder } })
  ask = askVerification(stack)
  await setPrice(stack.db, 'NG', 'passport', 1n)
  await addCredit(stack.db, stack.businessId, 1000n)
  secret = await keyOf(stack.businessId)
  publishable = await keyOf(stack.businessId, 'publishable')
  const other = await addBusiness(stack, await addPerson(stack))
  await addCredit(stack.db, other, 1000n)
  otherKey = await keyOf(other)
})
afterAll(async () => {
  await stack?.close()
  rmSync(folder, { recursive: true })
})

async function send(form: FormData, key = publishable): Promise<{ status: number; body: VerificationBody }> {
  const response = await fetch(`${verificationUrl(stack)}/uploads`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
  return { status: response.status, body: (await response.json()) as VerificationBody }
}

function formOf(file: Buffer, name = 'front.jpg', field = 'file'): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), name)
  return form
}
const upload = (file: Buffer, key?: string) => send(formOf(file), key)
const verify = (more: object, key = secret) =>
  ask('POST', '/verify', key, { requestId: `u-${newId()}`, country: 'NG', idType: 'passport', idNumber: 'TEST-OTHER', ...more })
const files = () => readdirSync(folder).filter((name) => name !== 'erased')

/** Sends bytes as they are, and waits for the answer or the end of the connection. */
function raw(head: string[], body: Buffer | null, endsAfterMs?: number): Promise<string> {
  const { port } = new URL(verificationUrl(stack))
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1')
    const done = () => resolve(answer)
    socket
      .on('data', (bytes) => (answer += bytes))
      .on('close', done)
      .on('error', done)
    socket.write(`POST /api/kyc/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${head.join('\r\n')}\r\n\r\n`)
    if (body) socket.write(body)
    if (endsAfterMs !== undefined) setTimeout(() => socket.destroy(), endsAfterMs)
  })
}
const multipart = 'Content-Type: multipart/form-data; boundary=b'
const partHead = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n')

describe('an upload', () => {
  test.each([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
    ['application/pdf', pdf()],
    ['image/png', png(maxBytes)],
  ])('%s is stored sealed, and given back as it was', async (type, file) => {
    const { status, body } = await upload(file)
    expect([status, body]).toEqual([200, { id: expect.any(String), type, bytes: file.length }])
    expect(existsSync(join(folder, body.id))).toBe(true)
    expect(readFileSync(join(folder, body.id)).includes(file.subarray(0, 16))).toBe(false)
    const { id } = (await verify({ documents: [body.id] })).body
    const result = (await ask('GET', `/result/${id}`, secret)).body
    expect(result.media).toEqual([{ id: body.id, use: 'document', type, bytes: file.length }])
    const media = await fetch(`${verificationUrl(stack)}/result/${id}/media/${body.id}`, { headers: { authorization: `Bearer ${secret}` } })
    expect([media.status, media.headers.get('content-type'), media.headers.get('cache-control')]).toEqual([
      200,
      type,
      expect.stringContaining('no-store'),
    ])
    expect(Buffer.from(await media.arrayBuffer()).equals(file)).toBe(true)
  })

  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const twoFiles = formOf(jpeg())
  twoFiles.append('file', new Blob([new Uint8Array(jpeg())]), 'b.jpg')
  const withField = formOf(jpeg())
  withField.append('note', 'x')
  test.each([
    ['Unsupported file type', 'HTML named .jpg', formOf(html)],
    ['Unsupported file type', 'an SVG', formOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.png')],
    ['Unsupported file type', 'a JPEG with a ZIP behind it', formOf(Buffer.concat([jpeg(), Buffer.from('PK\x03\x04zip')]))],
    ['Unsupported file type', 'an image of 10 gigapixels', formOf(png(100, 100_000, 100_000))],
    ['Unsupported file type', 'no bytes', formOf(Buffer.alloc(0))],
    ['File too large (max 25MB)', 'one byte more', formOf(png(maxBytes + 1))],
    ['Invalid request body', 'another field', formOf(jpeg(), 'a.jpg', 'document')],
    ['Invalid request body', 'two files', twoFiles],
    ['Invalid request body', 'one more field', withField],
    ['Invalid request body', 'an empty form', new FormData()],
  ])('%s: %s, and no file is left', async (error, _name, form) => {
    const before = files()
    const { status, body } = await send(form)
    expect([status, body.error]).toEqual([400, error])
    expect(files()).toEqual(before)
  })

  test('that is too large is refused before its end', async () => {
    const declared = await raw([multipart, `Content-Length: ${2 ** 30}`], partHead, 5000)
    expect(declared).toContain('File too large (max 25MB)')
    const chunk = (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    const before = files()
    const endless = await raw([multipart, 'Transfer-Encoding: chunked'], Buffer.concat([chunk(partHead), chunk(png(maxBytes + 1))]), 20_000)
    expect(endless).toContain('File too large (max 25MB)')
    expect(files()).toEqual(before)
  })

  test('that is cut, compressed or no form is refused, and no file is left', async () => {
    const before = files()
    await raw([multipart, 'Content-Length: 100000'], Buffer.concat([partHead, png(5000)]), 300)
    await waitFor('the cut file to go', async () => files().length === before.length)
    const ended = Buffer.concat([partHead, png(500)])
    expect(await raw([multipart, `Content-Length: ${ended.length}`, 'Connection: close'], ended)).toContain('Invalid request body')
    expect(await raw([multipart, 'Content-Encoding: gzip', 'Content-Length: 4', 'Connection: close'], Buffer.alloc(4))).toMatch(/^HTTP\/1.1 415/)
    expect(await raw(['Content-Type: image/png', 'Content-Length: 4', 'Connection: close'], Buffer.alloc(4))).toMatch(/^HTTP\/1.1 415/)
    expect(await raw(['Content-Type: multipart/form-data', 'Content-Length: 4', 'Connection: close'], Buffer.alloc(4))).toContain(
      'Invalid request body',
    )
    expect(files()).toEqual(before)
  })

  test('that stalls is refused, and others are not slower', async () => {
    const before = files()
    const stalled = Array.from({ length: 20 }, () => raw([multipart, 'Content-Length: 100000'], Buffer.concat([partHead, png(5000)])))
    const started = Date.now()
    expect((await upload(jpeg(), otherKey)).status).toBe(200)
    expect(Date.now() - started).toBeLessThan(5000)
    for (const answer of await Promise.all(stalled)) expect(answer).toContain('did not arrive completely')
    expect(files().length).toBe(before.length + 1)
  }, 60_000)
})

describe('the uploads of a verification', () => {
  test('are of its business, unused, and named once', async () => {
    const { id } = (await upload(jpeg())).body
    const wrong = [{ documents: [newId()] }, { documents: ['nothing'] }, { selfie: newId() }]
    for (const each of wrong) expect(await verify(each)).toMatchObject({ status: 400, body: { error: 'Invalid request body' } })
    expect((await verify({ documents: [id] }, otherKey)).body.message).toContain('documents.0')
    const body = { requestId: `u-${newId()}`, selfie: id }
    const made = await verify(body)
    expect(made.status).toBe(202)
    expect((await verify(body)).body.id).toBe(made.body.id)
    expect((await verify({ selfie: id })).body.message).toContain('selfie')
    expect((await verify({ ...body, selfie: newId() })).body.error).toBe('idempotency_key_reused')
  })

  test('are read by their business with a secret key, under their own verification', async () => {
    const { id: mediaId } = (await upload(jpeg())).body
    const { id } = (await verify({ documents: [mediaId] })).body
    const { id: another } = (await verify({})).body
    const path = `/result/${id}/media/${mediaId}`
    expect((await ask('GET', path, publishable)).body.error).toBe('secret_key_required')
    expect((await ask('GET', path, otherKey)).status).toBe(404)
    expect((await ask('GET', `/result/${another}/media/${mediaId}`, secret)).status).toBe(404)
    expect((await ask('GET', `/result/${id}/media/nothing`, secret)).status).toBe(404)
  })

  test('go with it: after its erasure neither file nor key is left', async () => {
    const { id: mediaId } = (await upload(jpeg())).body
    const { id } = (await verify({ selfie: mediaId })).body
    await stack.db.tx((tx) => endVerification(tx, id, { status: 'completed' }))
    expect((await ask('DELETE', `/verifications/${id}`, secret)).status).toBe(200)
    expect(existsSync(join(folder, mediaId))).toBe(false)
    expect(await stack.db.query('select 1 from verification_uploads where id = $1', [mediaId])).toEqual([])
    expect((await ask('GET', `/result/${id}/media/${mediaId}`, secret)).status).toBe(404)
    expect((await ask('GET', `/result/${id}`, secret)).body.media).toEqual([])
  })

  test('that no verification used are dropped after a day, with files that have no row', async () => {
    const unused = (await upload(jpeg())).body.id
    const fresh = (await upload(jpeg())).body.id
    await stack.db.query("update verification_uploads set created_at = now() - interval '25 hours' where id = $1", [unused])
    const store = folderStore(folder)
    await store.put(newId(), (async function* () {})())
    const day = { ...store, olderThan: () => store.olderThan(new Date(Date.now() + 1000)) }
    await dropUploads({ db: stack.db, log: { warn() {} } as never, uploads: day })
    expect(existsSync(join(folder, unused))).toBe(false)
    expect(existsSync(join(folder, fresh))).toBe(true)
    const rows = await stack.db.query<{ id: string }>('select id from verification_uploads')
    expect(files().sort()).toEqual(rows.map(({ id }) => id).sort())
  })
})

test('the client uploads a file, verifies with it and waits for the end', async () => {
  const client = createVerificationClient({ baseUrl: verificationUrl(stack), apiKey: secret })
  const { id: selfie } = await client.upload(new Blob([new Uint8Array(png())]), { name: 'selfie.png' })
  const body = { requestId: `c-${newId()}`, country: 'NG', idType: 'passport', idNumber: 'TEST-SELFIE', selfie }
  const { id } = await client.call('createVerification', { body })
  expect(await client.waitForEnd('getVerificationStatus', id, { everyMs: 100 })).toMatchObject({ status: 'failed', reasonCode: 'selfie_mismatch' })
  expect((await client.call('getVerificationResult', { path: { id } })).media).toMatchObject([{ id: selfie, use: 'selfie' }])
  const file = await client.media(id, selfie)
  expect([file.type, Buffer.from(await file.arrayBuffer()).equals(png())]).toEqual(['image/png', true])
  await expect(client.media(id, newId())).rejects.toMatchObject({ status: 404, code: 'Not found' })
})

test('40 uploads of 25 MB at once need little memory', async () => {
  const process = stack.processes.get('verification')
  const used = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process?.pid}/status`, 'utf8'))?.[1]) / 1024
  // A connection that the host is about to close is not used then.
  await upload(jpeg())
  const before = used()
  const form = formOf(png(maxBytes))
  let max = 0
  const timer = setInterval(() => (max = Math.max(max, used())), 50)
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(form))).finally(() => clearInterval(timer))
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
  expect(max - before).toBeLessThan(200)
}, 180_000)
