import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startServer, type TestServer } from '../test/support/httpServer.ts'
import { createVerificationClient, InsufficientCreditError, PermissionError } from './index.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const client = (retries = 3) =>
  createVerificationClient({ baseUrl: `${server.url}/api/kyc/`, apiKey: 'sk_test_1', retries })
const requestId = 'r-1'
const body = { requestId, country: 'NG', idType: 'passport', idNumber: 'A1' }

test('repeats a request with the same requestId until it is answered', async () => {
  const bodies: unknown[] = []
  server.answer = async (response, request) => {
    bodies.push([request.headers.authorization, request.body])
    if (bodies.length < 3) response.writeHead(502).end()
    else response.writeHead(202).end(JSON.stringify({ id: '1', requestId, status: 'queued' }))
  }
  expect(await client().call('createVerification', { body })).toMatchObject({ id: '1' })
  expect(bodies).toEqual(Array(3).fill(['Bearer sk_test_1', JSON.stringify(body)]))
})

test('does not repeat a request that waits for credit, and has the place of its status', async () => {
  let requests = 0
  server.answer = (response) => {
    requests++
    response
      .writeHead(402)
      .end(JSON.stringify({ error: 'insufficient_credit', pending: true, statusUrl: 'https://x/1' }))
  }
  const error = await client()
    .call('createRiskAssessment', { body: { requestId, firstName: 'A', lastName: 'B' } })
    .catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(InsufficientCreditError)
  expect([error, requests]).toMatchObject([{ pending: true, statusUrl: 'https://x/1' }, 1])
})

test('waits until a request has ended', async () => {
  let requests = 0
  server.answer = (response) =>
    void response
      .writeHead(200)
      .end(JSON.stringify({ id: '1', completedAt: ++requests < 3 ? null : '2026-01-01T00:00:00.000Z' }))
  await client().waitForEnd('getDecision', '1', { everyMs: 5 })
  expect(requests).toBe(3)
})

test('throws the typed error of a refusal while it waits', async () => {
  server.answer = (response) =>
    void response.writeHead(403).end(JSON.stringify({ error: 'secret_key_required' }))
  await expect(client().waitForEnd('getDecision', '1')).rejects.toBeInstanceOf(PermissionError)
})

test('takes only the URL of a verification host', () => {
  for (const baseUrl of ['https://x/api/v1', 'x/api/kyc'])
    expect(() => createVerificationClient({ baseUrl, apiKey: 'sk' })).toThrow(TypeError)
})
