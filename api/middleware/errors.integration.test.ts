import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import express from 'express'
import { ProviderError } from '../../src/chains/chain.ts'
import { ApiError, internalFailure } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { errorHandler } from './errors.ts'

const internal = 'node 10.0.0.7 answered 500'
const failures: Record<string, Error> = {
  '/bug': new Error(internal),
  '/provider': new ProviderError(internal),
  '/answer': new ApiError(503, 'chain_unavailable', 'No node answers now', { internalText: internal }),
  '/refusal': new ApiError(409, 'payout_not_open', `It is closed for sk_live_${'a1'.repeat(16)}`),
}
const lines: Record<string, unknown>[] = []
const log = createLog('api', 'info', { write: (line) => void lines.push(JSON.parse(line)) })
const app = express()
for (const [path, failure] of Object.entries(failures))
  app.get(path, (_request, _response, next) => next(failure))
app.use(errorHandler({ log }))

let url = ''
const server = app.listen(0, '127.0.0.1')
beforeAll(async () => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => void lines.splice(0))

const answerOf = async (path: string) => {
  const answer = await fetch(url + path)
  return { status: answer.status, text: await answer.text() }
}

test.each([
  ['/bug', 500, internalFailure, { type: 'Error' }],
  ['/provider', 500, internalFailure, { type: 'ProviderError', code: 'provider_failed', retry: 'yes' }],
  ['/answer', 503, 'No node answers now', { type: 'ApiError', code: 'chain_unavailable', retry: 'yes' }],
])(
  '%s: a caller reads the public text, and the log has the internal one',
  async (path, status, text, logged) => {
    const answer = await answerOf(path)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text)).toMatchObject({ message: text })
    expect(answer.text).not.toContain('10.0.0.7')
    expect(lines).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ ...logged, message: internal }) }),
    ])
    expect(lines[0]?.err).not.toHaveProperty('publicText')
  },
)

test('a credential is in neither', async () => {
  const answer = await answerOf('/refusal')
  expect(JSON.parse(answer.text)).toMatchObject({
    error: 'payout_not_open',
    message: 'It is closed for [redacted]',
  })
  log.warn({ err: failures['/refusal'] }, 'refused')
  expect(JSON.stringify([answer.text, lines])).not.toContain('a1a1')
})
