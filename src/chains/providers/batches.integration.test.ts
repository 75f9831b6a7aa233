import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startServer, type TestServer } from '../../../test/support/httpServer.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import { inBatches, type JsonRpc, openJsonRpc, parsing, RpcError } from './jsonRpc.ts'

interface Asked {
  id: number
  method: string
  params: [number]
}

let server: TestServer
let rpc: JsonRpc
/** From a request to its answer: as far as a node on another continent. */
let latencyMs = 25
/** Calls that passed the gate, and how they ended. */
let gated = { all: 0, failed: 0 }
/** The calls of each request. */
let requests: Asked[][] = []
/** Answers to one request; by default the numbers that were requested, each with its id. */
let answerTo: (calls: Asked[]) => { status?: number; text: string } = () => ({ text: '' })

const one = ({ id, params }: Asked) => `{"jsonrpc":"2.0","id":${id},"result":{"number":${params[0]}}}`
const listOf = (calls: readonly Asked[], each: (call: Asked) => string = one) => ({
  text: calls.length === 1 ? each(calls[0] as Asked) : `[${calls.map(each).join(',')}]`,
})

beforeEach(async () => {
  gated = { all: 0, failed: 0 }
  requests = []
  answerTo = (calls) => listOf(calls)
  latencyMs = 25
  server = await startServer(async (response, { body }) => {
    if (latencyMs > 0) await delay(latencyMs)
    const calls = [JSON.parse(body) as Asked | Asked[]].flat()
    requests.push(calls)
    const { status = 200, text } = answerTo(calls)
    response.writeHead(status).end(text)
  })
  rpc = openJsonRpc(server.url, 20_000, async (_, request) => {
    gated.all++
    try {
      return await request()
    } catch (error) {
      gated.failed++
      throw error
    }
  })
})
afterEach(async () => {
  await rpc.close()
  await server.close()
})

const callMany = (count: number, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, n) => inBatches(rpc).call('eth_get', [from + n])))
const numbers = (count: number) => Array.from({ length: count }, (_, number) => ({ number }))
const sizes = () => requests.map((calls) => calls.length)
const total = () => requests.flat().length

describe('calls that are made together', () => {
  test('are sent one by one while each has a connection', async () => {
    expect(await callMany(16)).toEqual(numbers(16))
    expect(sizes()).toEqual(Array(16).fill(1))
  })

  test('are sent in few requests above that, in batches that grow', async () => {
    expect(await callMany(400)).toEqual(numbers(400))
    expect(sizes().length).toBeLessThan(120)
    expect(sizes().filter((size) => size === 2).length).toBeGreaterThanOrEqual(16)
    expect(Math.max(...sizes())).toBeGreaterThan(4)
  })

  test('are sent one by one to a node that has answered within 20 ms', async () => {
    latencyMs = 0
    let ms = Number.POSITIVE_INFINITY
    for (let tries = 0; ms >= 20 && tries < 500; tries++) {
      const started = performance.now()
      await rpc.call('eth_get', [0])
      ms = performance.now() - started
    }
    requests = []
    expect(await callMany(400)).toEqual(numbers(400))
    expect(Math.max(...sizes())).toBe(1)
  })

  test('each pass the gate', async () => {
    await callMany(100)
    expect(gated).toEqual({ all: 100, failed: 0 })
  })

  test('each have their answer, in any order', async () => {
    answerTo = (calls) => listOf(calls.toReversed())
    expect(await callMany(100)).toEqual(numbers(100))
    expect(Math.max(...sizes())).toBeGreaterThan(1)
  })

  test('each have their answer where the list cannot be split without parsing it', async () => {
    answerTo = (calls) => ({
      text: JSON.stringify(
        calls.map((call) => JSON.parse(one(call)) as unknown),
        null,
        1,
      ),
    })
    // A single call is answered by a list of one.
    expect(await callMany(100)).toEqual(numbers(100))
    expect(Math.max(...sizes())).toBeGreaterThan(1)
  })

  test('each fail with their own error', async () => {
    answerTo = (calls) =>
      listOf(calls, (call) =>
        call.params[0] % 2
          ? `{"jsonrpc":"2.0","id":${call.id},"error":{"code":-32000,"message":"odd"}}`
          : one(call),
      )
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => inBatches(rpc).call('eth_get', [n])),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 64 }, (_, n) => (n % 2 ? 'rejected' : 'fulfilled')),
    )
    for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(RpcError)
    expect(total()).toBe(64)
  })

  test.each<[string, (call: Asked) => string]>([
    ['has another id', (call) => one({ ...call, id: 999_999 })],
    ['seems to have the id, and has another after it', (call) => one(call).replace(/\}$/, ',"id":999999}')],
  ])('fail where the answer in the place of theirs %s', async (_, instead) => {
    answerTo = (calls) => listOf(calls, (call) => (call.params[0] === 3 ? instead(call) : one(call)))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => inBatches(rpc).call('eth_get', [n])),
    )
    expect(
      outcomes.flatMap((each, n) =>
        each.status === 'rejected' ? [[n, String(each.reason.message).replace(/^.*: /, '')]] : [],
      ),
    ).toEqual([[3, 'an answer to another request']])
  })

  test('are all parsed where the endpoint is read so', async () => {
    const parsed = inBatches(parsing(rpc))
    expect(parsed.read).toBeUndefined()
    expect(await Promise.all(Array.from({ length: 40 }, (_, n) => parsed.call('eth_get', [n])))).toEqual(
      numbers(40),
    )
    expect(Math.max(...sizes())).toBe(2)
  })
})

describe('an answer in a batch is read from its bytes', () => {
  const scanned = (bytes: readonly Uint8Array[], id: number) => {
    const text = Buffer.concat(bytes).toString()
    const of = /^\{"jsonrpc":"2\.0","id":(\d+),"result":\{"number":(\d+)\}\}$/.exec(text)
    return of && Number(of[1]) === id ? Number(of[2]) : null
  }
  const readMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const { read } = inBatches(rpc)
        if (!read) throw new Error('it cannot read bytes')
        return read('eth_get', [n], scanned)
      }),
    )

  test('as the bytes of an answer of its own', async () => {
    answerTo = (calls) => listOf(calls.toReversed())
    expect(await readMany(64)).toEqual(Array.from({ length: 64 }, (_, n) => ({ scanned: n })))
    expect(Math.max(...sizes())).toBeGreaterThan(1)
  })

  test('or parsed where the list cannot be split', async () => {
    answerTo = (calls) =>
      calls.length === 1 ? listOf(calls) : { text: listOf(calls).text.replaceAll('},{', '}, {') }
    const all = await readMany(64)
    expect(all.map((each) => ('scanned' in each ? { number: each.scanned } : each.result))).toEqual(
      numbers(64),
    )
    expect(all.some((each) => 'result' in each)).toBe(true)
  })

  test('or parsed where its result has an id too', async () => {
    // The split takes the id at the end of what it takes for an answer.
    const text = (call: Asked) =>
      `{"jsonrpc":"2.0","result":{"number":${call.params[0]},"note":"a","id":5},"id":${call.id}}`
    answerTo = (calls) => listOf(calls, text)
    expect(
      (await readMany(64)).map((each) => 'result' in each && (each.result as { number: number }).number),
    ).toEqual(numbers(64).map(({ number }) => number))
  })
})

describe('a batch that is refused', () => {
  const refusals: [string, (calls: Asked[]) => { status?: number; text: string }][] = [
    [
      'with one error',
      () => ({
        text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch requests are not supported"}}',
      }),
    ],
    [
      'with a limit of requests',
      () => ({
        text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"batch limit exceeded"}}',
      }),
    ],
    ['with a status', () => ({ status: 413, text: '<html>too large</html>' })],
    ['with a status and an empty list', () => ({ status: 400, text: '' })],
    [
      'with an error for each call',
      (calls) =>
        listOf(
          calls,
          ({ id }) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32003,"message":"response too large"}}`,
        ),
    ],
  ]

  test.each(refusals)('%s is sent again one by one, and no other batch follows', async (_, refusal) => {
    answerTo = (calls) => (calls.length > 1 ? refusal(calls) : listOf(calls))
    expect(await callMany(100)).toEqual(numbers(100))
    const refused = requests.filter((calls) => calls.length > 1)
    // Those that were under way when the first was refused.
    expect(refused.length).toBeLessThanOrEqual(16)
    expect(gated).toEqual({ all: 100 + refused.flat().length, failed: refused.flat().length })
    requests = []
    expect(await callMany(100)).toEqual(numbers(100))
    expect(Math.max(...sizes())).toBe(1)
  })

  test('above a number of calls is followed by smaller ones', async () => {
    answerTo = (calls) => (calls.length > 5 ? { status: 413, text: '' } : listOf(calls))
    for (let round = 0; round < 5; round++) expect(await callMany(400)).toEqual(numbers(400))
    requests = []
    await callMany(400)
    expect(Math.max(...sizes())).toBe(5)
  })

  test('and each call of it too fails', async () => {
    answerTo = () => ({ status: 500, text: 'no' })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => inBatches(rpc).call('eth_get', [n])),
    )
    for (const each of outcomes)
      expect(each.status === 'rejected' && each.reason).toBeInstanceOf(ProviderError)
  })
})

test('a batch that is throttled is throttled for each call', async () => {
  answerTo = () => ({ status: 429, text: 'slow down' })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => inBatches(rpc).call('eth_get', [n])),
  )
  for (const each of outcomes)
    expect(each.status === 'rejected' && each.reason).toBeInstanceOf(ThrottledError)
  expect(total()).toBe(40)
})
