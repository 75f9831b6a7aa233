import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type CowryError, RateLimitError } from './errors.ts'
import { followQuotes, type QuoteSocket } from './quotes.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

interface Quote {
  price: string
}

/** A client of sockets that the test plays. */
function setUp(explain: () => Promise<void> = async () => {}) {
  const sockets: QuoteSocket[] = []
  const errors: string[] = []
  const stop = new AbortController()
  const quotes = followQuotes<Quote>(
    {
      operation: 'streamSwapQuote',
      connect() {
        const socket: QuoteSocket = {
          onopen: null,
          onmessage: null,
          onclose: null,
          send: () => {},
          close: () => {},
        }
        sockets.push(socket)
        return socket
      },
      credential: async () => ({ apiKey: 'key' }),
      explain,
      onError: ({ status, code }: CowryError) => void errors.push(`${status} ${code}`),
      timeoutMs: 5000,
    },
    stop.signal,
  )
  const socket = async (number: number): Promise<QuoteSocket> => {
    for (let waited = 0; sockets.length < number && waited < 60_000; waited += 500)
      await jest.advanceTimersByTimeAsync(500)
    const found = sockets[number - 1]
    if (!found) throw new Error(`there is no connection ${number}`)
    return found
  }
  const connect = async (number: number) => {
    const opened = await socket(number)
    opened.onopen?.()
    const message = (body: object) => opened.onmessage?.({ data: JSON.stringify(body) })
    return { message, close: (code: number) => opened.onclose?.({ code }) }
  }
  return { quotes, errors, socket, connect, stop, connections: () => sockets.length }
}
const noLiquidity = { error: { error: 'no_liquidity', requestId: 'r' } }

describe('a pair without a price', () => {
  test('that had one before is tried again, and reported once for each close', async () => {
    const { quotes, errors, connect } = setUp()
    const first = quotes.next()
    const one = await connect(1)
    one.message({ quote: { price: '1' } })
    expect(await first).toMatchObject({ value: { price: '1' } })
    const second = quotes.next()
    one.close(1001)
    for (const number of [2, 3]) {
      const { message, close } = await connect(number)
      message(noLiquidity)
      close(4422)
    }
    const { message } = await connect(4)
    message({ quote: { price: '2' } })
    expect(await second).toMatchObject({ value: { price: '2' } })
    expect(errors).toEqual(['0 no_answer', '503 no_liquidity', '503 no_liquidity'])
  })

  test('that never had one ends the iterator with the reason', async () => {
    const { quotes, connect, connections } = setUp()
    const first = expect(quotes.next()).rejects.toMatchObject({ status: 422, code: 'no_liquidity' })
    const { message, close } = await connect(1)
    message(noLiquidity)
    close(4422)
    await first
    expect(connections()).toBe(1)
  })
})

test('errors that come again keep the connection, and silence ends it', async () => {
  const { quotes, errors, connect, connections, stop } = setUp()
  const first = quotes.next()
  const { message } = await connect(1)
  message({ quote: { price: '1' } })
  await first
  const ended = expect(quotes.next()).rejects.toThrow('enough')
  for (let minute = 0; minute < 10; minute++) {
    message({ error: { error: 'partner_unavailable', requestId: 'r' } })
    await jest.advanceTimersByTimeAsync(60_000)
  }
  expect([connections(), errors.length]).toEqual([1, 10])
  await jest.advanceTimersByTimeAsync(15_000)
  expect([connections(), errors.at(-1)]).toEqual([2, '0 timeout'])
  stop.abort(new Error('enough'))
  await ended
})

test('a refusal before the connection is a WebSocket is reported, and tried again', async () => {
  const { quotes, errors, connect, socket } = setUp(async () => {
    throw new RateLimitError({ status: 429, code: 'too_many_streams', message: 'Too many' })
  })
  const first = quotes.next()
  const refused = await socket(1)
  refused.onclose?.({ code: 1006 })
  const { message } = await connect(2)
  message({ quote: { price: '1' } })
  expect(await first).toMatchObject({ value: { price: '1' } })
  expect(errors).toEqual(['429 too_many_streams'])
})
