import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import express from 'express'
import { createPriority } from '../../src/platform/priority.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { observeRequests } from './observe.ts'
import { nameRequest } from './requestId.ts'

const metrics = createMetrics('test')
const app = express()
const brokenAnswers = metrics.counter('http_invalid_answers_total', 'Answers', ['operation'])
app.use(
  nameRequest,
  observeRequests(
    { log: createLog('test', 'silent'), metrics, priority: createPriority(), brokenAnswers },
    [],
  ),
)
app.get('/health/ready', (_request, response) => void response.status(503).end())
let server: ReturnType<typeof app.listen>

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => resolve())
  })
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))

const statusOf = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    }).on('error', reject)
  })

test('probes are not counted as requests, with any answer', async () => {
  for (const path of ['/health/live', '/health/ready', '/none'])
    expect(await statusOf(path)).toBe(path === '/health/ready' ? 503 : 404)
  const lines = (await metrics.exposition())
    .split('\n')
    .filter((line) => /^cowry_http_request(s_total|_seconds_count)/.test(line))
  expect(lines).toEqual([
    'cowry_http_requests_total{operation="none",status="404",process="test"} 1',
    'cowry_http_request_seconds_count{operation="none",process="test"} 1',
  ])
})
