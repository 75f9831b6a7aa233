import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { startServer, type TestServer } from '../../../test/support/httpServer.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import { type JsonRpc, openJsonRpc, RpcError } from './jsonRpc.ts'
import type { Gate } from './providers.ts'

/** Long if an answer comes, short if not. */
const [far, near] = [20_000, 250]
// Places of secrets in provider URLs: user, path and query.
const secrets = ['topuser', 'toppass', 'TOPPATHKEY', 'TOPQUERYKEY']

let server: TestServer
let rpc: JsonRpc
/** Calls through the gate. */
const gated: string[] = []
const gate: Gate = (method, request) => {
  gated.push(method)
  return request()
}
const openWith = (timeoutMs: number, name?: string) =>
  openJsonRpc(
    `http://topuser:toppass@127.0.0.1:${server.port}/v2/TOPPATHKEY?key=TOPQUERYKEY`,
    timeoutMs,
    gate,
    name,
  )

beforeEach(async () => {
  server = await startServer()
  rpc = openWith(far)
  gated.length = 0
})
afterEach(async () => {
  await server.close()
  await rpc.close()
})

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): TestServer['answer'] => {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}
/** Answers with the id of the request. */
const reply =
  (more: object): TestServer['answer'] =>
  (response, { body }) =>
    json({ jsonrpc: '2.0', id: JSON.parse(body).id, ...more })(response, {
      method: '',
      url: '',
      headers: {},
      body,
    })

async function failure(): Promise<ProviderError> {
  const error = await rpc.call('eth_blockNumber', []).then(
    (answer) => `it answered ${JSON.stringify(answer)}`,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProviderError)
  return error as ProviderError
}

describe('a call', () => {
  test('is a JSON-RPC 2.0 request with a unique id, sent to the whole URL with its credentials', async () => {
    server.answer = reply({ result: '0x10' })
    expect(await rpc.call('eth_getBlockByNumber', ['0x1', true])).toBe('0x10')
    await rpc.call('eth_chainId', [])
    expect(server.heard.map(({ body }) => JSON.parse(body))).toEqual([
      { jsonrpc: '2.0', id: expect.any(Number), method: 'eth_getBlockByNumber', params: ['0x1', true] },
      { jsonrpc: '2.0', id: expect.any(Number), method: 'eth_chainId', params: [] },
    ])
    expect(new Set(server.heard.map(({ body }) => JSON.parse(body).id)).size).toBe(2)
    expect(server.heard[0]).toMatchObject({
      method: 'POST',
      url: '/v2/TOPPATHKEY?key=TOPQUERYKEY',
      // topuser:toppass in base64, by `base64` of coreutils
      headers: { 'content-type': 'application/json', authorization: 'Basic dG9wdXNlcjp0b3BwYXNz' },
    })
  })

  test('returns null if the provider has nothing', async () => {
    server.answer = reply({ result: null })
    expect(await rpc.call('eth_getBlockByNumber', ['0xffffff', false])).toBeNull()
  })

  test('accepts an answer of several megabytes', async () => {
    const big = 'x'.repeat(3_000_000)
    server.answer = reply({ result: big })
    expect(await rpc.call('eth_getBlockByNumber', [])).toBe(big)
  })
})

describe('an answer of "too fast"', () => {
  test.each([
    ['429 without a time', 429, {}, 1000],
    ['429 with a time', 429, { 'retry-after': '7' }, 7000],
    ['429 with a very long time', 429, { 'retry-after': '86400' }, 60_000],
    ['429 with nonsense for a time', 429, { 'retry-after': 'soon' }, 1000],
    ['429 with a time in the past', 429, { 'retry-after': '-5' }, 1000],
  ] as const)('%s is throttled, not broken', async (_what, status, headers, retryAfterMs) => {
    server.answer = (response) => void response.writeHead(status, headers).end('slow down')
    const error = await failure()
    expect(error).toBeInstanceOf(ThrottledError)
    expect(error).toMatchObject({ retryAfterMs })
  })

  test('-32005 over HTTP 200 is throttled too', async () => {
    server.answer = reply({ error: { code: -32005, message: 'daily request count exceeded' } })
    expect(await failure()).toMatchObject({ constructor: ThrottledError, retryAfterMs: 1000 })
  })
})

describe('an invalid answer', () => {
  const raw =
    (text: string, status = 200): TestServer['answer'] =>
    (response) =>
      void response.writeHead(status).end(text)

  test.each<[string, TestServer['answer']]>([
    ['HTML', raw('<html>welcome</html>')],
    ['nothing', raw('')],
    ['half an answer', raw('{"jsonrpc":"2.0","id":1,"result":"0x')],
    ['null', raw('null')],
    ['a string', raw('"0x10"')],
    ['a number', raw('16')],
    ['a list', raw('[]')],
    ['an object without a result', reply({})],
    ['the answer to another request', json({ jsonrpc: '2.0', id: 999_999, result: '0x10' })],
    ['an answer without an id', json({ jsonrpc: '2.0', result: '0x10' })],
    [
      'an id of another type',
      (response, { body }) =>
        json({ id: String(JSON.parse(body).id), result: '0x10' })(response, {
          method: '',
          url: '',
          headers: {},
          body,
        }),
    ],
    ['an error of the method', reply({ error: { code: -32601, message: 'the method does not exist' } })],
    ['an error without code and message', reply({ error: {} })],
    ['an error that is a string', reply({ error: 'no' })],
    ['a server error in HTML', raw('<html>502</html>', 502)],
    [
      'a server error with an answer in it',
      (response, { body }) =>
        json({ id: JSON.parse(body).id, result: '0x10' }, 500)(response, {
          method: '',
          url: '',
          headers: {},
          body,
        }),
    ],
    ['a refusal', raw('{"message":"forbidden"}', 403)],
    ['a redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a connection that is cut before the answer', (response) => void response.socket?.destroy()],
    [
      'a connection that is cut within the answer',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"jsonrpc":')
        response.socket?.end()
      },
    ],
  ])('%s is a ProviderError that names host and method, and no secret', async (_what, answer) => {
    server.answer = answer
    const error = await failure()
    expect(error).not.toBeInstanceOf(ThrottledError)
    expect(error.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:${server.port}: eth_blockNumber: .+`))
    for (const secret of secrets)
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret)
    expect(server.heard).toHaveLength(1)
  })

  test("a provider's message is shown, up to 200 characters", async () => {
    server.answer = reply({ error: { code: -32000, message: `header not found ${'x'.repeat(5000)}` } })
    const { message } = await failure()
    expect(message).toContain('error -32000: header not found')
    expect(message.length).toBeLessThan(300)
  })

  test('the next call after any of them works', async () => {
    server.answer = (response) => void response.socket?.destroy()
    await failure()
    server.answer = reply({ result: '0x1' })
    expect(await rpc.call('eth_blockNumber', [])).toBe('0x1')
  })

  test('a key that a provider repeats in its message is removed', async () => {
    server.answer = (response, request) =>
      reply({ error: { code: -32000, message: `project TOPPATHKEY is not known (${request.url})` } })(
        response,
        request,
      )
    const { message } = await failure()
    for (const secret of secrets) expect(message).not.toContain(secret)
  })
})

describe('a provider that does not answer', () => {
  async function timed(): Promise<number> {
    await rpc.close()
    rpc = openWith(near)
    const started = performance.now()
    const error = await failure()
    for (const secret of secrets) expect(inspect(error)).not.toContain(secret)
    return performance.now() - started
  }

  test('times out', async () => {
    server.answer = () => {}
    expect(await timed()).toBeGreaterThanOrEqual(near - 20)
  })

  test('times out at the same deadline if it drips bytes forever', async () => {
    let dripping: NodeJS.Timeout | undefined
    server.answer = (response) => {
      response.writeHead(200)
      dripping = setInterval(() => response.write(' '), 20)
    }
    const taken = await timed()
    clearInterval(dripping)
    expect(taken).toBeLessThan(near * 10)
  })

  test('because its port is closed causes a ProviderError with that reason', async () => {
    await server.close()
    const error = await failure()
    expect(error.message).toContain('ECONNREFUSED')
    for (const secret of secrets) expect(inspect(error)).not.toContain(secret)
  })
})

test('an endpoint is named by its host alone, or by the given name, in messages too', async () => {
  expect(rpc.name).toBe(`127.0.0.1:${server.port}`)
  server.answer = reply({ error: { code: -32000, message: 'no' } })
  const named = openWith(far, 'host#2')
  expect(named.name).toBe('host#2')
  await expect(named.call('eth_blockNumber', [])).rejects.toThrow(/^host#2: eth_blockNumber: /)
  await named.close()
})

test('every request passes the gate, once, for any number of calls; a closed gate sends nothing', async () => {
  server.answer = batched(({ params }) => ({ result: params[0] }))
  await rpc.call('eth_a', [1])
  await rpc.callMany('eth_b', [[1], [2], [3]])
  expect(gated).toEqual(['eth_a', 'eth_b'])
  expect(server.heard).toHaveLength(2)
  const closed = openJsonRpc(server.url, far, async () => {
    throw new ThrottledError('held back', 1)
  })
  await expect(closed.call('eth_a', [])).rejects.toThrow(ThrottledError)
  await expect(closed.callMany('eth_a', [[1]])).rejects.toThrow(ThrottledError)
  expect(server.heard).toHaveLength(2)
  await closed.close()
})

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** Answers each call of a request, in the order that the test sets. */
const batched =
  (
    answer: (call: Call) => object | null,
    order: (answers: object[]) => object[] = (answers) => answers,
  ): TestServer['answer'] =>
  (response, request) => {
    const asked = JSON.parse(request.body) as Call | Call[]
    const answers = [asked].flat().flatMap((call) => {
      const said = answer(call)
      return said ? [{ jsonrpc: '2.0', id: call.id, ...said }] : []
    })
    json(Array.isArray(asked) ? order(answers) : answers[0])(response, request)
  }

describe('several calls in one request', () => {
  const many = () => rpc.callMany('eth_getBalance', [['a'], ['b'], ['c']])
  const echo = ({ params }: Call) => ({ result: params[0] })

  test('are a JSON-RPC batch, with results in the order of the calls', async () => {
    server.answer = batched(echo)
    expect(await many()).toEqual(['a', 'b', 'c'])
    expect(server.heard).toHaveLength(1)
    const sent = JSON.parse(server.heard[0]?.body ?? '') as Call[]
    expect(sent.map(({ method, params }) => [method, params])).toEqual([
      ['eth_getBalance', ['a']],
      ['eth_getBalance', ['b']],
      ['eth_getBalance', ['c']],
    ])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(3)
  })

  test('have results in the order of the calls, for any order of answers', async () => {
    server.answer = batched(echo, (answers) => answers.toReversed())
    expect(await many()).toEqual(['a', 'b', 'c'])
  })

  test('that are one call are a plain request; without calls nothing is sent', async () => {
    server.answer = batched(echo)
    expect(await rpc.callMany('eth_getBalance', [['a']])).toEqual(['a'])
    expect(Array.isArray(JSON.parse(server.heard[0]?.body ?? ''))).toBe(false)
    expect(await rpc.callMany('eth_getBalance', [])).toEqual([])
    expect(server.heard).toHaveLength(1)
  })

  test.each<[string, TestServer['answer']]>([
    ['lacks an answer', batched((call) => (call.params[0] === 'b' ? null : echo(call)))],
    [
      'has one answer twice and lacks another',
      batched(echo, ([first, , third]) => [first, first, third] as object[]),
    ],
    ['answers other ids', batched((call) => ({ ...echo(call), id: call.id + 1000 }))],
    ['is empty', json([])],
    ['has a hole', json([null, null, null])],
    [
      'is one answer for all',
      (response, request) =>
        json({ id: (JSON.parse(request.body) as Call[])[0]?.id, result: 'a' })(response, request),
    ],
    [
      'fails in one of them',
      batched((call) => (call.params[0] === 'b' ? { error: { code: -32000, message: 'no' } } : echo(call))),
    ],
  ])('cause a ProviderError, never missing or shifted results, if the answer %s', async (_what, answer) => {
    server.answer = answer
    await expect(many()).rejects.toThrow(ProviderError)
  })

  test('that the node refuses as a whole, by one error for all, cause that refusal', async () => {
    server.answer = json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } })
    await expect(many()).rejects.toThrow('error -32600: batch too large')
    await expect(many()).rejects.toBeInstanceOf(RpcError)
    server.answer = json({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit' } })
    await expect(many()).rejects.toBeInstanceOf(ThrottledError)
    server.answer = batched((call) =>
      call.params[0] === 'c' ? { error: { code: -32005, message: 'limit' } } : echo(call),
    )
    await expect(many()).rejects.toBeInstanceOf(ThrottledError)
  })
})

describe('a refusal', () => {
  const refusal = (code: number | undefined, said: string) => new RpcError('host: eth_test', code, said)

  test('of a call with a custom error has its selector, where the message has no reason', async () => {
    const data = `0x97a6f3b9${'0'.repeat(192)}`
    server.answer = reply({ error: { code: 3, message: 'execution reverted', data } })
    expect(await failure()).toMatchObject({
      message: expect.stringMatching(/execution reverted: custom error 0x97a6f3b9$/),
    })
    server.answer = reply({ error: { code: 3, message: 'execution reverted: paused', data } })
    expect(await failure()).toMatchObject({ message: expect.stringMatching(/execution reverted: paused$/) })
  })

  test('by the node itself is distinct from a failure to reach it, with its code', async () => {
    server.answer = reply({ error: { code: -32000, message: 'header not found' } })
    const error = await failure()
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ rpcCode: -32000, isUnsupported: false })
    server.answer = (response) => void response.writeHead(502).end('<html>')
    expect(await failure()).not.toBeInstanceOf(RpcError)
  })

  test.each([
    [-32601, 'anything at all'],
    [-32601, ''],
    [-32000, 'the method debug_traceBlockByHash does not exist/is not available'],
    [-32600, 'Unsupported method: debug_traceBlockByHash on this plan'],
    [-32001, 'method not whitelisted'],
    [-32004, 'method is not supported'],
    [undefined, 'debug_traceBlockByHash is disabled'],
    [-32000, 'tracer not found'],
    [-32000, 'eth_getBlockReceipts is not enabled'],
    [-32000, 'rpc method is not allowed'],
  ])('%s "%s" means that the node does not offer the method', (code, said) => {
    expect(refusal(code, said).isUnsupported).toBe(true)
  })

  test.each([
    [-32000, 'header not found'],
    [-32000, 'block not found'],
    [-32000, 'execution timeout'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [-32603, 'internal error'],
    [-32000, 'query returned more than 10000 results'],
    [undefined, 'undefined'],
  ])('%s "%s" does not mean that', (code, said) => {
    expect(refusal(code, said).isUnsupported).toBe(false)
  })
})

describe('an answer that is read from its bytes', () => {
  const read = (scan: (text: string, id: number) => string | null) =>
    rpc.read?.('eth_getBlockReceipts', ['0x1'], (chunks, id) => scan(Buffer.concat(chunks).toString(), id))

  test('is given whole with the id of its request, through the gate', async () => {
    const long = 'x'.repeat(300_000)
    server.answer = reply({ result: long })
    expect(
      await read((text, id) => `${id} ${JSON.parse(text).id} ${JSON.parse(text).result === long}`),
    ).toEqual({
      scanned: expect.stringMatching(/^(\d+) \1 true$/),
    })
    expect(gated).toEqual(['eth_getBlockReceipts'])
  })

  test('is parsed if it was not understood, and requested once', async () => {
    server.answer = reply({ result: ['é'] })
    expect(await read(() => null)).toEqual({ result: ['é'] })
    expect(server.heard).toHaveLength(1)
  })

  test.each([
    ['an error', reply({ error: { code: -32000, message: 'no' } }), RpcError, 1],
    ['an answer to another request', json({ jsonrpc: '2.0', id: -1, result: [] }), ProviderError, 1],
    ['a status other than 200', json({ jsonrpc: '2.0', id: 1, result: [] }, 500), ProviderError, 0],
    ['a throttled request', json({}, 429), ThrottledError, 0],
  ])('fails as any other call does: %s', async (_, answer, kind, scans) => {
    server.answer = answer
    const scan = jest.fn(() => null)
    await expect(read(scan)).rejects.toBeInstanceOf(kind)
    expect(scan).toHaveBeenCalledTimes(scans)
  })
})
