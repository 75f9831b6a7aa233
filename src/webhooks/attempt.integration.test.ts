import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { Agent } from 'undici'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import { generateWebhookSecret } from './secret.ts'

/** Long if a response is expected, short if not; in between if its first part is. */
const [far, near, between] = [20_000, 500, 2000]
const secret = generateWebhookSecret()
const body = '{"type":"session.paid","data":{"id":"1"}}'

let server: TestServer
let dispatcher: Agent

beforeEach(async () => {
  server = await startServer()
  dispatcher = new Agent({ connections: 8, pipelining: 1 })
})
afterEach(async () => {
  await server.close()
  await dispatcher.destroy()
})

const attempt = ({ url = `${server.url}/hooks?shop=1`, timeoutMs = far } = {}): Promise<AttemptResult> =>
  attemptDelivery({ dispatcher, timeoutMs }, { url, secret, id: 'event-1', body })

const answers = (status: number, text = '', headers: Record<string, string> = {}) => {
  server.answer = (response) => void response.writeHead(status, headers).end(text)
}

describe('a delivery', () => {
  test("is one signed POST to the endpoint's full URL", async () => {
    answers(204)
    expect(await attempt()).toEqual({
      outcome: 'delivered',
      responseStatus: 204,
      responseBody: '',
      error: null,
      durationMs: expect.any(Number),
      retryAfterMs: null,
    })
    expect(server.heard).toHaveLength(1)
    const [heard] = server.heard
    expect(heard).toMatchObject({
      method: 'POST',
      url: '/hooks?shop=1',
      body,
      headers: { 'content-type': 'application/json', 'webhook-id': 'event-1' },
    })
    expect(
      new Webhook(secret.reveal()).verify(
        heard?.body ?? '',
        (heard?.headers ?? {}) as Record<string, string>,
      ),
    ).toEqual(JSON.parse(body))
  })

  test('carries the trace of its event', async () => {
    answers(204)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
    for (const each of [traceparent, null])
      await attemptDelivery(
        { dispatcher, timeoutMs: far },
        {
          ...{ url: server.url, secret, id: 'event-1', body },
          of: { traceparent: each, deliveryId: 'delivery-1', type: 'session.paid', attempts: 1 },
        },
      )
    expect(server.heard.map(({ headers }) => headers.traceparent)).toEqual([traceparent, undefined])
  })

  test.each([200, 201, 202, 204, 299])('succeeds with a %i', async (status) => {
    answers(status)
    expect(await attempt()).toMatchObject({ outcome: 'delivered', responseStatus: status, error: null })
  })

  test.each([400, 401, 404, 409, 422, 429, 500, 502, 503])(
    'fails with a %i, which is recorded',
    async (status) => {
      answers(status, 'no')
      expect(await attempt()).toMatchObject({
        outcome: 'failed',
        responseStatus: status,
        responseBody: 'no',
        error: `status ${status}`,
      })
    },
  )

  test.each([301, 302, 303, 307, 308])(
    'fails with a %i, and the redirect is not followed',
    async (status) => {
      const elsewhere = await startServer()
      answers(status, '', { location: elsewhere.url })
      expect(await attempt()).toMatchObject({ outcome: 'failed', responseStatus: status })
      answers(status, '', { location: '/hooks/2' })
      expect(await attempt()).toMatchObject({ outcome: 'failed', responseStatus: status })
      expect(server.heard).toHaveLength(2)
      expect(elsewhere.heard).toHaveLength(0)
      await elsewhere.close()
    },
  )

  test('ends for good with a 410, even if the rest of that response never comes', async () => {
    answers(410, 'gone fishing')
    expect(await attempt()).toMatchObject({
      outcome: 'gone',
      responseStatus: 410,
      responseBody: 'gone fishing',
    })
    server.answer = (response) => void response.writeHead(410).flushHeaders()
    expect(await attempt({ timeoutMs: between })).toMatchObject({ outcome: 'gone', responseStatus: 410 })
  })

  test("keeps the receiver's Retry-After", async () => {
    answers(503, '', { 'retry-after': '120' })
    expect(await attempt()).toMatchObject({ outcome: 'failed', retryAfterMs: 120_000 })
  })
})

describe('the stored response', () => {
  test('is its first 4 kB', async () => {
    answers(200, 'x'.repeat(4096))
    expect((await attempt()).responseBody).toBe('x'.repeat(4096))
    answers(500, `${'x'.repeat(4096)}yyy`)
    expect(await attempt()).toMatchObject({ outcome: 'failed', responseBody: 'x'.repeat(4096) })
  })

  test('is the first 4 kB of one that never ends; the rest is not read', async () => {
    let sent = 0
    let ended = false
    server.answer = (response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(16_384, 'x')
      const more = () => {
        sent += chunk.length
        if (!ended) response.write(chunk, () => setImmediate(more))
      }
      response.on('close', () => {
        ended = true
      })
      more()
    }
    const result = await attempt()
    expect(result).toMatchObject({ outcome: 'delivered', responseStatus: 200, error: null })
    expect(result.responseBody).toBe('x'.repeat(4096))
    expect(result.durationMs).toBeLessThan(far)
    await waitFor('the connection to be dropped', async () => ended)
    expect(sent).toBeLessThan(50_000_000)
  })

  test('contains no NUL, which Postgres refuses, and no partial character', async () => {
    answers(200, 'a\0b\0\0c')
    expect((await attempt()).responseBody).toBe('abc')
    server.answer = (response) =>
      void response.writeHead(200).end(Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62]))
    expect((await attempt()).responseBody).toBe('a\ufffd\ufffdb')
    answers(200, 'é'.repeat(3000))
    expect((await attempt()).responseBody).toBe('é'.repeat(2048))
    answers(200, `x${'é'.repeat(3000)}`)
    expect((await attempt()).responseBody).toBe(`x${'é'.repeat(2047)}\ufffd`)
  })
})

describe('a misbehaving receiver', () => {
  const expectAtDeadline = ({ durationMs }: AttemptResult, deadlineMs: number) => {
    expect(durationMs).toBeGreaterThanOrEqual(deadlineMs - 20)
    expect(durationMs).toBeLessThan(deadlineMs * 10)
  }

  test('that hangs is abandoned at the deadline', async () => {
    server.answer = () => {}
    const result = await attempt({ timeoutMs: near })
    expect(result).toMatchObject({
      outcome: 'failed',
      responseStatus: null,
      responseBody: null,
      error: expect.stringContaining('timeout'),
    })
    expectAtDeadline(result, near)
  })

  test('that drips its response is abandoned at the same deadline: a 200 that never ended is not a delivery', async () => {
    let dripping: NodeJS.Timeout | undefined
    server.answer = (response) => {
      response.writeHead(200)
      dripping = setInterval(() => response.write('.'), 20)
    }
    const result = await attempt({ timeoutMs: between })
    clearInterval(dripping)
    expect(result).toMatchObject({
      outcome: 'failed',
      responseStatus: 200,
      error: expect.stringContaining('timeout'),
    })
    expectAtDeadline(result, between)
  })

  test('that refuses connections is a failure with its reason', async () => {
    await server.close()
    expect(await attempt()).toMatchObject({
      outcome: 'failed',
      responseStatus: null,
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('that cuts the connection is a failure', async () => {
    server.answer = (response) => void response.socket?.destroy()
    expect(await attempt()).toMatchObject({
      outcome: 'failed',
      responseStatus: null,
      error: expect.any(String),
    })
    server.answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      response.socket?.end()
    }
    expect(await attempt()).toMatchObject({
      outcome: 'failed',
      responseStatus: 200,
      error: expect.any(String),
    })
  })

  test('that does not speak HTTP is a failure', async () => {
    const sockets = new Set<Socket>()
    const strange = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).write('220 smtp.example.com ESMTP\r\n')
    })
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', () => resolve()))
    const address = strange.address()
    const result = await attempt({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    })
    expect(result).toMatchObject({ outcome: 'failed', responseStatus: null, error: expect.any(String) })
    for (const socket of sockets) socket.destroy()
    strange.close()
  })

  test('with too many headers is a failure', async () => {
    server.answer = (response) => {
      for (let i = 0; i < 100; i++) response.setHeader(`x-${i}`, 'x'.repeat(1000))
      response.end()
    }
    expect(await attempt()).toMatchObject({ outcome: 'failed', error: expect.any(String) })
  })

  test('at a URL of another protocol is a failure', async () => {
    expect(await attempt({ url: 'ftp://127.0.0.1/' })).toMatchObject({
      outcome: 'failed',
      responseStatus: null,
      error: expect.any(String),
    })
  })

  test('at an invalid URL is a failure, not an exception', async () => {
    expect(await attempt({ url: 'not an address' })).toMatchObject({ outcome: 'failed' })
  })
})
