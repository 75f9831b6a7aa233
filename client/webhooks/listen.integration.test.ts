import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ReceivedRequest, startServer, type TestServer } from '../../test/support/httpServer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { main } from './cli.ts'
import { verifyWebhook } from './verify.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const eventOf = (sequence: number) => ({
  id: `event-${sequence}`,
  type: 'session.paid',
  timestamp: '2026-11-20T13:57:33.847Z',
  version: 1,
  sequence,
  data: { id: 's' },
})

let api: TestServer
let receiver: TestServer
/** The events that the API has. */
let stored: number
/** Streams that are open. */
let open: ServerResponse[]
let stopping: AbortController
let output: string

const write = (response: ServerResponse, sequence: number) =>
  response.write(`id: ${sequence}\ndata: ${JSON.stringify(eventOf(sequence))}\n\n`)

/** An event happens. */
function happen(): void {
  stored++
  for (const each of open) write(each, stored)
}

function answer(response: ServerResponse, { url, headers }: ReceivedRequest): void {
  if (headers['x-api-key'] !== 'ak_test_1') {
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"error":"Invalid API key","requestId":"r"}')
    return
  }
  if (headers.accept !== 'text/event-stream') {
    const page = { events: [], nextAfter: 0, hasMore: false, oldestSequence: 1, latestSequence: stored }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('retry: 10\n\n')
  const after = Number(new URL(url, api.url).searchParams.get('after'))
  for (let sequence = after + 1; sequence <= stored; sequence++) write(response, sequence)
  open.push(response)
  response.on('close', () => {
    open = open.filter((each) => each !== response)
  })
}

beforeEach(async () => {
  ;[stored, open, output, stopping] = [3, [], '', new AbortController()]
  api = await startServer(answer)
  receiver = await startServer((response) => void response.writeHead(204).end())
})
afterEach(async () => {
  stopping.abort()
  await Promise.all([api.close(), receiver.close()])
})

const print = (text: string) => {
  output += text
}
const listen = (args: string[], apiKey = 'ak_test_1') =>
  main(['listen', '--api', `${api.url}/api/v1`, '--forward', `${receiver.url}/hooks`, ...args], {
    env: { COWRY_API_KEY: apiKey },
    out: print,
    err: print,
    signal: stopping.signal,
  })
const received = () => receiver.heard.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence)
const receives = (count: number) => waitFor(`${count} events`, async () => receiver.heard.length >= count)

describe('cowry-webhooks listen', () => {
  test('forwards the events that happen from now on, signed like webhooks, and prints a line for each', async () => {
    const listening = listen(['--secret', secret, '--events', 'session.*'])
    await waitFor('a stream', async () => open.length === 1)
    happen()
    happen()
    await receives(2)
    stopping.abort()
    expect(await listening).toBe(0)
    expect(api.heard.at(-1)?.url).toBe('/api/v1/events?after=3&type=session.*')
    for (const [index, { url, method, headers, body }] of receiver.heard.entries()) {
      const { id, ...event } = eventOf(4 + index)
      expect([method, url, headers['webhook-id'], JSON.parse(body)]).toEqual(['POST', '/hooks', id, event])
      await verifyWebhook(secret, headers, body)
    }
    expect(output).toMatch(
      /^Forwarding session\.\* after 3 to http.*\nSigning secret: whsec_.*\n\n {7}4 {2}session\.paid {2}204 in \d+ ms\n {7}5 /,
    )
    expect(output).toContain('Stopped after event 5; continue with --after 5')
  })

  test('signs with a secret that is the same at each start', async () => {
    const listening = listen(['--after', '0'])
    await receives(3)
    const [, printed = ''] = /Signing secret: (whsec_\S+)/.exec(output) ?? []
    stopping.abort()
    await listening
    for (const { headers, body } of receiver.heard) await verifyWebhook(printed, headers, body)
    ;[output, stopping] = ['', new AbortController()]
    const again = listen([])
    await waitFor('its start', async () => output.includes(printed))
    stopping.abort()
    await again
  })

  test('waits while the server is down, and loses nothing when either side goes away', async () => {
    const port = receiver.port
    await receiver.close()
    const listening = listen(['--after', '0'])
    await waitFor('the first try', async () =>
      output.includes('no answer: ECONNREFUSED; waiting for the server'),
    )
    // The API's stream breaks meanwhile.
    for (const each of open) each.destroy()
    happen()
    const seen: number[] = []
    const back = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const { sequence } = JSON.parse(body) as { sequence: number }
        // It restarts once more behind its proxy.
        if (sequence === 2 && !seen.includes(-2)) {
          seen.push(-2)
          response.writeHead(503).end()
          return
        }
        seen.push(sequence)
        response.writeHead(sequence === 3 ? 500 : 200).end()
      })
    })
    await new Promise<void>((resolve) => back.listen(port, '127.0.0.1', () => resolve()))
    await waitFor('all events', async () => seen.includes(4))
    stopping.abort()
    await listening
    expect(seen).toEqual([1, -2, 2, 3, 4])
    expect(output).toMatch(/ 3 {2}session\.paid {2}500 in \d+ ms; to send it again: --after 2\n/)
    await new Promise((resolve) => {
      back.close(resolve)
      back.closeAllConnections()
    })
    expect((back.address() as AddressInfo | null) ?? null).toBeNull()
  })

  test('exits with 1 when the API refuses the key', async () => {
    expect(await listen([], 'ak_test_2')).toBe(1)
    expect(output).toContain('Invalid API key')
    expect(received()).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['no URL', ['--forward', ''], '--forward must start with http://'],
    ['a plain URL', ['http://a'], 'Give the URL as --forward'],
    ['an invalid number', ['--after', 'x'], '--after is a sequence number'],
    ['an invalid type', ['--events', 'session'], '--events are types such as session.paid'],
    ['a public key', ['--secret', 'whpk_x'], '--secret must start with whsec_'],
    ['an unknown option', ['--verbose'], 'Unknown option: --verbose'],
  ])('exits with 2 and the usage for %s', async (_what, args, expected) => {
    expect(await listen(args)).toBe(2)
    expect(output).toContain(expected)
    expect(output).toContain('cowry-webhooks listen --forward <url>')
  })

  test.each([
    ['as it is', []],
    ["through the project's own Node", ['--no-experimental-strip-types']],
  ])('runs as a program %s, and ends at a signal', async (_how, flags) => {
    const bin = fileURLToPath(new URL('bin.mjs', import.meta.url))
    const child = spawn(
      process.execPath,
      [...flags, bin, 'listen', '--forward', receiver.url, '--after', '2'],
      {
        env: {
          ...process.env,
          COWRY_API_URL: `${api.url}/api/v1`,
          COWRY_API_KEY: 'ak_test_1',
          NODE_OPTIONS: '',
        },
      },
    )
    child.stdout.on('data', (text) => {
      output += text
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await waitFor('its line', async () => output.includes(' 3  session.paid  204'))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(output).toContain('continue with --after 3')
  })
})
