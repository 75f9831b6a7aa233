import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVerificationClient } from '../../client/index.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { endVerification } from '../../src/verification/endVerification.ts'
import { dropFiles } from '../../src/verification/uploads/dropFiles.ts'
import { dropUploads } from '../../src/verification/uploads/dropUploads.ts'
import { receiveUpload } from '../../src/verification/uploads/receiveUpload.ts'
import { folderStore } from '../../src/verification/uploads/uploadStore.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { howMany } from '../support/full.ts'
import { addCredit, makeVerificationKey, setPrice } from '../support/madeVerifications.ts'
import { jpeg, pdf, png, segment, webp, zip } from '../support/sampleFiles.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  type RequestVerification,
  requestVerification,
  type VerificationBody,
  verificationUrl,
} from '../support/verificationHost.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
let ask: RequestVerification
let secret: string
let publishable: string
let other: string
let otherKey: string
const folder = mkdtempSync(join(tmpdir(), 'cowry-uploads-'))
const maxBytes = 26_214_400

const keyOf = async (businessId: string, kind: 'secret' | 'publishable' = 'secret') =>
  (await makeVerificationKey(stack.db, businessId, kind)).secret.reveal()

beforeAll(async () => {
  stack = await createStack({
    processes: ['verification'],
    // A client that sends a hundred files on a busy machine took more than 10 s to send the headers of some.
    env: {
      VERIFY_UPLOADS: folder,
      VERIFY_UPLOADS_PER_MINUTE: '300',
      API_REQUEST_SECONDS: '3',
      API_HEADERS_SECONDS: '60',
    },
  })
  ask = requestVerification(stack)
  await setPrice(stack.db, 'NG', 'passport', 1n)
  await addCredit(stack.db, stack.businessId, 1000n)
  secret = await keyOf(stack.businessId)
  publishable = await keyOf(stack.businessId, 'publishable')
  other = await addBusiness(stack, await addPerson(stack))
  await addCredit(stack.db, other, 1000n)
  otherKey = await keyOf(other)
})
afterAll(async () => {
  await stack?.close()
  rmSync(folder, { recursive: true })
})

async function send(form: FormData, key = publishable): Promise<{ status: number; body: VerificationBody }> {
  const response = await fetch(`${verificationUrl(stack)}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as VerificationBody }
}

function formOf(file: Buffer, name = 'front.jpg', field = 'file'): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), name)
  return form
}
const upload = (file: Buffer, key?: string) => send(formOf(file), key)
const verify = (more: object, key = secret) =>
  ask('POST', '/verify', key, {
    requestId: `u-${newId()}`,
    country: 'NG',
    idType: 'passport',
    idNumber: 'TEST-OTHER',
    ...more,
  })
const files = () => readdirSync(folder).filter((name) => name !== 'erased')

/** Opens a connection that sends bytes as they are; `answer` is all that came until its end. */
function open(head: string[], path = '/uploads', key = secret) {
  const { port } = new URL(verificationUrl(stack))
  const socket = connect(Number(port), '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let text = ''
    const done = () => resolve(text)
    socket
      .on('data', (bytes) => (text += bytes))
      .on('close', done)
      .on('error', done)
  })
  socket.write(
    `POST /api/kyc${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${head.join('\r\n')}\r\n\r\n`,
  )
  return { socket, answer }
}

/** Sends bytes as they are, and waits for the answer or the end of the connection. */
function raw(head: string[], body: Buffer, endsAfterMs?: number): Promise<string> {
  const { socket, answer } = open(head)
  socket.write(body)
  if (endsAfterMs !== undefined) setTimeout(() => socket.destroy(), endsAfterMs)
  return answer
}
const multipart = 'Content-Type: multipart/form-data; boundary=b'
const partHead = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
)

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
    const media = await fetch(`${verificationUrl(stack)}/result/${id}/media/${body.id}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
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
    [
      'Unsupported file type',
      'an SVG',
      formOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.png'),
    ],
    ['Unsupported file type', 'a JPEG with a ZIP behind it', formOf(Buffer.concat([jpeg(), zip()]))],
    ['Unsupported file type', 'an image of 10 gigapixels', formOf(png(100, 100_000, 100_000))],
    ['Unsupported file type', 'a JPEG with a ZIP in its comment', formOf(jpeg(10, 10, segment(0xfe, zip())))],
    ['Unsupported file type', 'a large file of another type', formOf(Buffer.alloc(20_000_000, 'x'))],
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
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    const before = files()
    const endless = await raw(
      [multipart, 'Transfer-Encoding: chunked'],
      Buffer.concat([chunk(partHead), chunk(png(maxBytes + 1))]),
      20_000,
    )
    expect(endless).toContain('File too large (max 25MB)')
    expect(files()).toEqual(before)
  })

  test('that is cut, compressed or no form is refused, and no file is left', async () => {
    const before = files()
    await raw([multipart, 'Content-Length: 100000'], Buffer.concat([partHead, png(5000)]), 300)
    await waitFor('the cut file to go', async () => files().length === before.length)
    const ended = Buffer.concat([partHead, png(500)])
    expect(await raw([multipart, `Content-Length: ${ended.length}`, 'Connection: close'], ended)).toContain(
      'Invalid request body',
    )
    expect(
      await raw(
        [multipart, 'Content-Encoding: gzip', 'Content-Length: 4', 'Connection: close'],
        Buffer.alloc(4),
      ),
    ).toMatch(/^HTTP\/1.1 415/)
    expect(
      await raw(['Content-Type: image/png', 'Content-Length: 4', 'Connection: close'], Buffer.alloc(4)),
    ).toMatch(/^HTTP\/1.1 415/)
    expect(
      await raw(
        ['Content-Type: multipart/form-data', 'Content-Length: 4', 'Connection: close'],
        Buffer.alloc(4),
      ),
    ).toContain('Invalid request body')
    expect(files()).toEqual(before)
  })

  test('that stalls is refused, and others are not slower', async () => {
    const before = files()
    const stalled = Array.from({ length: 20 }, () =>
      raw([multipart, 'Content-Length: 100000'], Buffer.concat([partHead, png(5000)])),
    )
    const started = Date.now()
    expect((await upload(jpeg(), otherKey)).status).toBe(200)
    expect(Date.now() - started).toBeLessThan(5000)
    for (const answer of await Promise.all(stalled)) expect(answer).toContain('did not arrive completely')
    expect(files().length).toBe(before.length + 1)
  }, 60_000)
})

/** Sends a whole file, but not the end of the body, until the file is stored. */
async function openStored(key = secret) {
  const opened = open([multipart, 'Content-Length: 100000'], '/uploads', key)
  const before = files()
  opened.socket.write(Buffer.concat([partHead, png(500), Buffer.from('\r\n--b\r\n')]))
  await waitFor('the file to be stored', async () =>
    files().some((name) => !before.includes(name) && !name.endsWith('.part')),
  )
  return { ...opened, before }
}
const noneIsLeft = (before: string[]) =>
  waitFor('the file to go', async () => files().join() === before.join())

describe('a body that is wrong behind its file', () => {
  test('because it is cut leaves no file', async () => {
    const { socket, before } = await openStored()
    socket.destroy()
    await noneIsLeft(before)
  })

  test('because a second part comes later is refused, and leaves no file', async () => {
    const { socket, answer, before } = await openStored()
    socket.write(partHead.subarray(5))
    expect(await answer).toMatch(/^HTTP\/1.1 400/)
    await noneIsLeft(before)
  })

  test('because its key is revoked meanwhile is refused, and leaves no file', async () => {
    const made = await makeVerificationKey(stack.db, stack.businessId, 'secret')
    const opened = open(
      [multipart, 'Transfer-Encoding: chunked', 'Connection: close'],
      '/uploads',
      made.secret.reveal(),
    )
    const before = files()
    const send = (bytes: Buffer) =>
      opened.socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      )
    send(Buffer.concat([partHead, png(500), Buffer.from('\r\n--b-')]))
    await waitFor('the file to be stored', async () => files().some((name) => !before.includes(name)))
    await stack.db.query('update verification_keys set revoked_at = now() where id = $1', [made.key.id])
    send(Buffer.from('-\r\n'))
    opened.socket.write('0\r\n\r\n')
    expect(await opened.answer).toContain('Invalid API key')
    await noneIsLeft(before)
  })
})

describe('limits', () => {
  test('an upload may take longer than a JSON body, which is refused after API_REQUEST_SECONDS', async () => {
    const upload = open([multipart, 'Transfer-Encoding: chunked', 'Connection: close'])
    const send = (bytes: Buffer) =>
      upload.socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      )
    const body = Buffer.concat([partHead, png(100_000), Buffer.from('\r\n--b--\r\n')])
    const before = files()
    send(body.subarray(0, 50_000))
    await waitFor('the upload to start', async () => files().length > before.length)
    const json = open(['Content-Type: application/json', 'Content-Length: 1000'], '/verify')
    json.socket.write('{"requestId":')
    expect(await json.answer).toContain('The body did not arrive in time')
    send(body.subarray(50_000))
    upload.socket.write('0\r\n\r\n')
    expect(await upload.answer).toMatch(/^HTTP\/1.1 200/)
  }, 30_000)

  test('unused uploads fill the quota of a business, and of no other', async () => {
    const rows = Array.from({ length: 3 }, () => newId())
    const add = `insert into verification_uploads (id, business_id, type, bytes, data_key) select unnest($1::uuid[]), $2, 'image/png', 2147483647, ''`
    await stack.db.query(add, [rows, other])
    const { status, body } = await upload(jpeg(), otherKey)
    expect([status, body.error, body.message]).toEqual([
      429,
      'Too many requests, please try again later.',
      expect.stringContaining('unused uploads of this business'),
    ])
    expect((await upload(jpeg())).status).toBe(200)
    await stack.db.query('delete from verification_uploads where id = any($1)', [rows])
    expect((await upload(jpeg(), otherKey)).status).toBe(200)
  })

  test('uploads at once do not exceed the quota together, and leave no file', async () => {
    const rows = Array.from({ length: 3 }, () => newId())
    const add =
      'insert into verification_uploads (id, business_id, type, bytes, data_key) select unnest($1::uuid[]), $2, $3, $4, $5'
    const unused = await stack.db.query<{ bytes: string }>(
      'select coalesce(sum(bytes), 0)::text as bytes from verification_uploads where business_id = $1 and verification_id is null',
      [other],
    )
    const left = 5 * 2 ** 30 - Number(unused[0]?.bytes)
    await stack.db.query(add, [rows, other, 'image/png', Math.floor((left - 25_000) / 3), Buffer.alloc(1)])
    const before = files().length
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(png(10_000), otherKey)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
    await waitFor('the refused files to go', async () => files().length === before + 2)
    await stack.db.query('delete from verification_uploads where id = any($1)', [rows])
  })

  test('a volume without room is 503, and its body is not read', async () => {
    const store = { ...folderStore(folder), freeBytes: async () => 2 ** 30 - 1 }
    const ctx = {
      db: stack.db,
      uploads: store,
      unusedBytes: 1,
      verifyKey: new Secret('x'),
      log: { warn() {} } as never,
      observeUpload() {},
    }
    const receiving = receiveUpload(ctx, { businessId: other, actor: {} as never }, null as never)
    await expect(receiving).rejects.toMatchObject({ status: 503, error: 'unavailable' })
  })

  test('POST /uploads has a limit of its own', async () => {
    const third = await keyOf(await addBusiness(stack, await addPerson(stack)))
    const statuses = new Set<number>()
    // The window of a minute may end meanwhile.
    for (let sent = 0; sent < 602 && !statuses.has(429); sent++)
      statuses.add((await ask('POST', '/uploads', third)).status)
    expect([...statuses]).toEqual([415, 429])
    expect((await ask('GET', '/verifications', third)).status).toBe(200)
  }, 60_000)
})

describe('the uploads of a verification', () => {
  test('are of its business, unused, and named once', async () => {
    const { id } = (await upload(jpeg())).body
    const wrong = [{ documents: [newId()] }, { documents: ['nothing'] }, { selfie: newId() }]
    for (const each of wrong)
      expect(await verify(each)).toMatchObject({ status: 400, body: { error: 'Invalid request body' } })
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

  test('that no verification used are dropped after a day, with files that no upload has', async () => {
    const unused = (await upload(jpeg())).body.id
    const fresh = (await upload(jpeg())).body.id
    await stack.db.query(
      "update verification_uploads set created_at = now() - interval '25 hours' where id = $1",
      [unused],
    )
    const store = folderStore(folder)
    const [crashed, arriving] = [newId(), newId()]
    for (const id of [crashed, arriving]) await store.put(id, (async function* () {})())
    const add =
      "insert into verification_stray_files (id, drop_after) values ($1, now() + $2 * interval '1 minute')"
    await stack.db.query(add, [crashed, -1])
    await stack.db.query(add, [arriving, 30])
    const log = { warn() {} } as never
    const full = { ...store, drop: async () => Promise.reject(new Error('the volume is away')) }
    await dropUploads({ db: stack.db, log, uploads: full })
    expect([unused, crashed].map((id) => existsSync(join(folder, id)))).toEqual([true, true])
    await stack.db.query('update verification_stray_files set drop_after = now() where id = any($1)', [
      [unused, crashed],
    ])
    await dropUploads({ db: stack.db, log, uploads: store })
    expect([unused, crashed, fresh, arriving].map((id) => existsSync(join(folder, id)))).toEqual([
      false,
      false,
      true,
      true,
    ])
    const rows = await stack.db.query<{ id: string }>(
      'select id from verification_uploads union select id from verification_stray_files',
    )
    expect(files().sort()).toEqual(rows.map(({ id }) => id).sort())
    await dropFiles({ db: stack.db, log, uploads: store }, [arriving, fresh])
    expect([fresh, arriving].map((id) => existsSync(join(folder, id)))).toEqual([true, false])
  })

  test('whose file is lost are 404', async () => {
    const { id: mediaId } = (await upload(jpeg())).body
    const { id } = (await verify({ selfie: mediaId })).body
    rmSync(join(folder, mediaId))
    expect((await ask('GET', `/result/${id}/media/${mediaId}`, secret)).status).toBe(404)
  })

  test('named in different order by many requests at once are given to one', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = await Promise.all(Array.from({ length: 4 }, async () => (await upload(jpeg())).body.id))
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => verify({ documents: index % 2 ? ids : ids.toReversed() })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(400)])
    }
  })
})

test('the client uploads a file, verifies with it and waits for the end', async () => {
  const client = createVerificationClient({ baseUrl: verificationUrl(stack), apiKey: secret })
  const { id: selfie } = await client.upload(new Blob([new Uint8Array(png())]), { name: 'selfie.png' })
  const body = {
    requestId: `c-${newId()}`,
    country: 'NG',
    idType: 'passport',
    idNumber: 'TEST-SELFIE',
    selfie,
  }
  const { id } = await client.call('createVerification', { body })
  expect(await client.waitForEnd('getVerificationStatus', id, { everyMs: 100 })).toMatchObject({
    status: 'failed',
    reasonCode: 'selfie_mismatch',
  })
  expect((await client.call('getVerificationResult', { path: { id } })).media).toMatchObject([
    { id: selfie, use: 'selfie' },
  ])
  const file = await client.media(id, selfie)
  expect([file.type, Buffer.from(await file.arrayBuffer()).equals(png())]).toEqual(['image/png', true])
  await expect(client.media(id, newId())).rejects.toMatchObject({ status: 404, code: 'Not found' })
})

const megabytes = howMany(5, 25)

test(`100 uploads of ${megabytes} MB at once need little memory, and other callers are not slower`, async () => {
  const process = stack.processes.get('verification')
  const used = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process?.pid}/status`, 'utf8'))?.[1]) / 1024
  const file = png(megabytes === 25 ? maxBytes : megabytes * 2 ** 20)
  // One form for all: a hundred would be copied first. Then a connection that the host is about to close is
  // not used.
  const form = formOf(file)
  await upload(jpeg())
  const before = used()
  let max = 0
  const timer = setInterval(() => (max = Math.max(max, used())), 50)
  let isOver = false
  const sending = Promise.all(Array.from({ length: 100 }, () => send(form, secret))).finally(() => {
    isOver = true
    clearInterval(timer)
  })
  const waits: number[] = []
  while (!isOver) {
    const begin = Date.now()
    expect((await ask('GET', '/verifications', otherKey)).status).toBe(200)
    waits.push(Date.now() - begin)
  }
  const answers = await sending
  expect(answers.map(({ status, body }) => [status, body.bytes])).toEqual(Array(100).fill([200, file.length]))
  expect(max - before).toBeLessThan(200)
  expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(1000)
}, 600_000)
