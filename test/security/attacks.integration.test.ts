import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { metric } from '../faults/metric.ts'
import { addBusiness, addPerson, type Person } from '../support/dashboardSession.ts'
import { full, howMany } from '../support/full.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Attack, type AttackKind, type AttackReport, attackKinds } from './attackers.ts'
import { headOf, openRaw } from './rawHttp.ts'

/** In the long form, a minute for each attack. */
const seconds = howMany(2, 60)
/** 10 Mbit/s. */
const bytesPerSecond = 1_250_000
const maxP99Ms = 250
const megabyte = 2 ** 20
const sessions = 4000
const freeAddresses = "select 1 from deposit_addresses where family = 'evm' and taken_at is null"
const addresses = Array.from({ length: 10 }, (_, i) => `127.0.0.${i + 2}`)

let stack: Stack
let port: number
let attackersKey: string
/** Signs in during the attack, from another address. */
let person: Person
const rows: object[] = []
let memoryBefore = 0
beforeAll(async () => {
  // Production limits. Growth without a bound does not fit into this heap.
  const limits = {
    NODE_OPTIONS: '--max-old-space-size=192',
    RATE_LIMIT_ADDRESS: '300',
    RATE_LIMIT_BUSINESS: '6000',
    LOG_LEVEL: 'info',
  }
  // Each session takes an address; all attacks together last some minutes.
  const pool = full ? { POOL_TARGET: `${sessions}`, POOL_LOW_WATER: `${sessions - 100}` } : {}
  stack = await createStack({ processes: full ? ['treasury', 'api'] : ['api'], env: { ...limits, ...pool } })
  await waitFor(
    'addresses',
    async () => !full || (await stack.db.query(freeAddresses)).length > sessions - 200,
    120_000,
  )
  port = stack.processes.get('api')?.port() ?? 0
  const businessId = await addBusiness(stack, await addPerson(stack))
  attackersKey = (
    await createApiKey(stack, { name: 'attacker', scope: 'write', environment: 'test', businessId })
  ).reveal()
  person = await addPerson(stack)
  await Promise.all([ordinaryRequests(1000), signIns(1000)])
  memoryBefore = await memory()
}, 180_000)
afterAll(async () => {
  await stack?.close()
  if (rows.length > 0) process.stdout.write(`${tableOf(rows)}\n`)
})

/** Share of all processors' time used while `work` ran, by any process. */
async function whileBusy<T>(work: () => Promise<T>): Promise<[T, number]> {
  const times = () =>
    cpus().reduce(
      (sum, { times: { idle, ...busy } }) => ({
        idle: sum.idle + idle,
        busy: sum.busy + Object.values(busy).reduce((a, b) => a + b),
      }),
      {
        idle: 0,
        busy: 0,
      },
    )
  const before = times()
  const done = await work()
  const after = times()
  const busy = after.busy - before.busy
  return [done, busy / (busy + after.idle - before.idle)]
}

const memory = () => metric(stack.processes.get('api'), 'cowry_process_resident_memory_bytes')

/** Requests of an ordinary tenant, twenty a second. @returns the time of each request, in ms */
async function ordinaryRequests(forMs: number): Promise<number[]> {
  const times: number[] = []
  const request = async (i: number) => {
    const began = performance.now()
    const answer =
      i % 4 === 0
        ? await stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '5' })
        : await stack.api('GET', i % 2 ? '/pos/sessions?limit=5' : '/auth/me')
    expect([200, 201]).toContain(answer.status)
    times.push(performance.now() - began)
  }
  const requests: Promise<void>[] = []
  const until = performance.now() + forMs
  for (let i = 0; performance.now() < until; i++) {
    requests.push(request(i))
    await delay(50)
  }
  await Promise.all(requests)
  return times
}

/**
 * Sign-ins of a person without a session: a new connection, no credential. @returns the answers, and the time
 * of each sign-in, in ms
 */
async function signIns(forMs: number): Promise<{ statuses: (number | undefined)[]; times: number[] }> {
  const body = JSON.stringify({ email: person.email, password: demoPassword })
  const request =
    headOf('POST', '/api/v1/auth/login', {
      'content-type': 'application/json',
      'content-length': body.length,
    }) + body
  const statuses: (number | undefined)[] = []
  const times: number[] = []
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const began = performance.now()
    const { answer, socket } = openRaw(port, '127.0.0.100', request)
    statuses.push((await answer())?.status)
    times.push(performance.now() - began)
    socket.destroy()
    await delay(250)
  }
  return { statuses, times }
}

const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

async function attack(kind: AttackKind): Promise<AttackReport> {
  const given: Attack = { kind, port, forMs: seconds * 1000, bytesPerSecond, addresses, apiKey: attackersKey }
  const program = [...nodeArguments, join(import.meta.dirname, 'attackers.ts'), JSON.stringify(given)]
  return JSON.parse((await promisify(execFile)(process.execPath, program)).stdout) as AttackReport
}

function tableOf(all: object[]): string {
  const lines = [Object.keys(all[0] ?? {}), ...all.map((each) => Object.values(each).map(String))]
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

test.each(attackKinds)(
  '%s: another tenant is served within 250 ms, a person signs in, and memory does not grow',
  async (kind) => {
    const process = stack.processes.get('api')
    const pid = process?.pid
    const cpuBefore = await metric(process, 'cowry_process_cpu_seconds_total')
    const [before, busyBefore] = await whileBusy(() => ordinaryRequests(500))
    const [report, times, signedIn] = await Promise.all([
      attack(kind),
      ordinaryRequests(seconds * 1000),
      signIns(seconds * 1000),
    ])
    const p99 = p99Of(times)
    const grown = (await memory()) - memoryBefore
    const cpu = (await metric(process, 'cowry_process_cpu_seconds_total')) - cpuBefore
    rows.push({
      attack: kind,
      'requests/s': Math.round(report.requests / report.seconds),
      'bytes/s': Math.round(report.bytes / report.seconds),
      connections: report.connections,
      answers: JSON.stringify(report.answers).replaceAll('"', ''),
      'CPU ms a request': report.requests > 0 ? ((cpu * 1000) / report.requests).toFixed(2) : '',
      'p99 ms': Math.round(p99),
      'sign-in ms': Math.round(p99Of(signedIn.times)),
      'ms before': Math.round(Math.max(...before)),
      'busy before': `${Math.round(busyBefore * 100)} %`,
      'MB more': Math.round(grown / megabyte),
    })
    expect(report.connections).toBeGreaterThan(0)
    expect([process?.running(), process?.pid]).toEqual([true, pid])
    expect(times.length).toBeGreaterThan((full ? 10 : 2) * seconds)
    expect(signedIn.statuses.filter((status) => status !== 200)).toEqual([])
    // Times only count in the long form, where this suite runs alone: on a busy machine one sign-in may need
    // all the seconds of the short form.
    expect(signedIn.statuses.length).toBeGreaterThan(full ? seconds / 4 : 0)
    if (full) expect(p99).toBeLessThan(maxP99Ms)
    expect(grown).toBeLessThan(256 * megabyte)
  },
  (seconds + 180) * 1000,
)
