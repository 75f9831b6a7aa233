import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['api', 'indexer', 'worker'],
    confirmations: 1,
    env: { WEBHOOK_TIMEOUT_MS: '20000' },
  })
})
afterAll(() => stack?.close())

async function pay(): Promise<SessionBody> {
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine()
  return session
}

test('a worker that gets the signal to stop finishes its current delivery, and the next worker continues', async () => {
  stack.receiver.answer = () => ({ status: 204, afterMs: 700 })
  const session = await pay()
  await waitFor('a delivery in flight', async () => stack.receiver.received.length > 0)
  const worker = stack.processes.get('worker')
  await worker?.stop()
  expect(worker?.running()).toBe(false)
  const arrived = stack.receiver.received.length
  const [row] = await stack.db.query(
    "select count(*)::int as delivered from webhook_deliveries where status = 'delivered'",
  )
  expect(row).toEqual({ delivered: arrived })

  stack.receiver.answer = () => ({ status: 204 })
  // The deadline is for a later test.
  await stack.start('worker', { SHUTDOWN_SECONDS: '1' })
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  expect(stack.receiver.received).toHaveLength(stack.receiver.about(session.id).length)
  await expectNothingLeftOver(stack)
})

test('an indexer that was stopped reads every missed block, and checks payments against block times', async () => {
  const sessions = await Promise.all(Array.from({ length: 5 }, () => stack.createSession({ amount: '5' })))
  await stack.stop('indexer')
  for (const session of sessions) {
    await stack.send(session.address, 5_000_000n)
    await stack.mine(8)
  }
  const late = await stack.createSession({ amount: '5', expirySeconds: 60 })
  await stack.send(late.address, 5_000_000n)
  await stack.mineAt(new Date(Date.parse(late.expiresAt) + 30_000))
  await stack.mine(30)
  await stack.start('indexer')
  for (const session of sessions) await stack.sessionIs(session.id, 'paid')
  await stack.sessionIs(late.id, 'expired', 'late')
  await stack.caughtUp()
  const [gaps] = await stack.db.query(
    "select (max(height) - min(height) + 1 - count(*))::int as gaps from blocks where chain = 'ethereum' and canonical",
  )
  expect(gaps).toEqual({ gaps: 0 })
})

test('an api that gets the signal to stop is not ready any more, answers while it drains, and then ends with 0', async () => {
  const api = await stack.start(
    'api',
    { API_DRAIN_SECONDS: '2', RATE_LIMIT_ADDRESS: '1000000' },
    { as: 'leaving' },
  )
  const urlOf = (path: string) => `http://127.0.0.1:${api.port()}${path}`
  const ask = async (path: string) => {
    const answer = await fetch(urlOf(path), { headers: { 'x-api-key': stack.apiKey } })
    return { status: answer.status, connection: answer.headers.get('connection'), text: await answer.text() }
  }
  expect(await ask('/api/v1/pos/sessions')).toMatchObject({ status: 200, connection: 'keep-alive' })
  api.kill('SIGTERM')
  await waitFor('an api that is not ready', async () => (await ask('/health/ready')).status === 503)
  expect((await ask('/health/ready')).text).toContain('"running":"unavailable"')
  expect(await ask('/api/v1/pos/sessions')).toMatchObject({ status: 200, connection: 'close' })
  await api.ended
  expect(api.exitCode()).toBe(0)
  await expect(ask('/health/live')).rejects.toThrow()
})

test('a worker that cannot finish in time is forced to end', async () => {
  const worker = stack.processes.get('worker')
  const before = stack.receiver.received.length
  stack.receiver.answer = () => ({ status: 204, afterMs: 15_000 })
  await pay()
  await waitFor('a delivery in flight', async () => stack.receiver.received.length > before)
  worker?.kill('SIGTERM')
  await waitFor('the end of the worker', async () => !worker?.running(), 10_000)
  await worker?.ended
  expect(stack.logs()).toContain('did not stop in time: forced to exit')
})
