import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { waitFor } from '../../test/support/waitFor.ts'
import { runThread } from './thread.ts'

const file = join(import.meta.dirname, '../../test/support/threadOfTest.ts')
let child: ChildProcess
let written = ''

function start(does: string) {
  written = ''
  let port = 0
  child = spawn(process.execPath, [file], {
    env: { ...process.env, METRICS_PORT: '0', THREAD_DOES: does },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (written += chunk.toString()))
  child.on('message', (message: { internalPort: number }) => {
    port = message.internalPort
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, body: await answer.text() }
  }
  return { ended, ask, listens: () => waitFor('the internal port', async () => port > 0) }
}

afterEach(() => void child?.kill('SIGKILL'))

test('a thread reports its readiness and its metrics, and stops with its process', async () => {
  const { ended, ask, listens } = start('its work')
  await listens()
  let before = ''
  await waitFor('readiness', async () => {
    const { status, body } = await ask('/health/ready')
    if (status !== 200) before += body
    return status === 200
  })
  expect(before).toMatch(/"inner":"(still starting|not quite)"/)
  expect(JSON.parse((await ask('/health/ready')).body).checks).toEqual({
    started: 'ok',
    running: 'ok',
    first: 'ok',
    second: 'ok',
    inner: 'ok',
  })
  const { body } = await ask('/metrics')
  expect(body.match(/^cowry_rpc_calls_total.*$/gm)).toEqual([
    'cowry_rpc_calls_total{chain="base",process="test"} 2',
    'cowry_rpc_calls_total{chain="base",process="test",thread="apart"} 3',
  ])
  expect(body.match(/^# TYPE cowry_rpc_calls_total.*$/gm)).toEqual(['# TYPE cowry_rpc_calls_total counter'])
  // Metrics shared by all threads of a process appear once.
  expect(body.match(/^cowry_process_resident_memory_bytes.*$/gm)).toHaveLength(1)
  expect(body.match(/^cowry_nodejs_heap_size_used_bytes.*$/gm)).toHaveLength(2)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  for (const each of ['the first has stopped', 'the thread has stopped', '"msg":"stopped"'])
    expect(written).toContain(each)
})

test.each([
  ['throws', 'thrown in the thread', 'uncaught exception'],
  ['rejects', 'rejected in the thread', 'unhandled rejection'],
  ['requests a stop', 'the thread cannot go on', '"msg":"stopped"'],
  ['exits', 'the thread apart has ended', '"msg":"stopped"'],
  ['cannot start', 'no node answers', 'could not start'],
])('a thread that %s ends its process with 1, and the reason is logged', async (does, ...reasons) => {
  expect(await start(does).ended).toBe(1)
  for (const reason of reasons) expect(written).toContain(reason)
})

test('configuration mistakes of a thread are reported with those of its process', async () => {
  expect(await start('is mistaken').ended).toBe(2)
  expect(written).toContain('cannot be used:\n  - FIRST is not set\n  - SECOND is not set\n')
})

test('a thread module refuses to run on its own', async () => {
  await expect(runThread(async () => {})).rejects.toThrow('runs in a thread')
})
