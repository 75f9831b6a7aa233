import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { closeServer, closeWithAnswers, listen } from './http.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let server: Server
let port: number
let draining: AbortController

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  draining = new AbortController()
  server = createServer({ keepAliveTimeout: 60_000 }, answer)
  closeWithAnswers(server, draining.signal)
  port = await listen(server, 0, '127.0.0.1')
}

/** Over one connection, as long as the server keeps it. */
const ask = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ port, agent }, resolve).on('error', reject))
const textOf = async (answer: IncomingMessage) => (await answer.toArray()).join('')

afterEach(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

test('connections are kept until the server drains; then each answer closes its own, one that was under way included', async () => {
  const waiting: ServerResponse[] = []
  await serve((request, response) =>
    request.url === '/' && draining.signal.aborted ? response.end('late') : waiting.push(response),
  )
  const [first] = await Promise.all([ask(), answered(waiting)])
  await textOf(first)
  expect(first.headers.connection).toBe('keep-alive')

  const second = ask()
  while (waiting.length === 0) await new Promise(setImmediate)
  draining.abort()
  waiting.shift()?.end('done')
  expect((await second).headers.connection).toBe('close')
  await textOf(await second)
  const third = await ask()
  expect([await textOf(third), third.headers.connection]).toEqual(['late', 'close'])
})

async function answered(waiting: ServerResponse[]): Promise<void> {
  while (waiting.length === 0) await new Promise(setImmediate)
  waiting.shift()?.end('done')
}

test('an answer that had started before is finished, and its connection, which stays open, does not hold up the end', async () => {
  let begun: ServerResponse | undefined
  await serve((_request, response) => {
    begun = response
    response.writeHead(200).write('one ')
  })
  const answer = await ask()
  draining.abort()
  const closed = closeServer(server)
  begun?.end('two')
  expect([answer.headers.connection, await textOf(answer)]).toEqual(['keep-alive', 'one two'])
  expect(await Promise.race([closed.then(() => 'closed'), delay(5000, 'still open', { ref: false })])).toBe(
    'closed',
  )
})
