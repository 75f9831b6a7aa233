import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { pause } from '../../src/platform/wait.ts'
import { runCommand } from '../support/command.ts'
import { full, howMany } from '../support/full.ts'
import { createOwnDatabase, type OwnDatabase } from '../support/ownDatabase.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type Standby, startStandby } from '../support/standby.ts'
import { urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { type DatabaseLoad, percentile, startDatabaseLoad } from './databaseLoad.ts'
import { startTcpProxy, type TcpProxy } from './tcpProxy.ts'

/*
 * Postgres is terminated, read-only, and failed over to a standby, under payments, transfers and deliveries
 * that do not pause. Each process reaches it through a proxy of its own, so that one can lose it alone.
 */

const awayMs = howMany(700, 8000)
const readOnlyMs = howMany(1200, 60_000)
/** Much longer than a notification takes: what is done sooner was notified. */
const relayPollMs = 6000

let own: OwnDatabase
let standby: Standby
let stack: Stack
let load: DatabaseLoad
const proxies = new Map<DatabaseRole | 'test', TcpProxy>()
const proxyOf = (name: DatabaseRole | 'test'): TcpProxy => {
  const found = proxies.get(name)
  if (!found) throw new Error(`there is no proxy for ${name}`)
  return found
}
const through = (name: DatabaseRole | 'test', url: string) =>
  Object.assign(new URL(url), { port: String(proxyOf(name).port) }).href

beforeAll(async () => {
  own = await createOwnDatabase('database')
  for (const name of [...databaseRoles, 'test'] as const)
    proxies.set(name, await startTcpProxy(Number(new URL(own.server().url('x')).port)))
  const { url } = own
  const direct = openModelDb(url, 1)
  // A commit that was answered survives the end of Postgres.
  await direct.query('alter database cowry set synchronous_commit = on')
  await direct.close()
  stack = await createStack({
    database: { ...own.database(through('test', url)), url },
    processes: ['treasury', 'api', 'indexer', 'worker', 'verification'],
    separate: true,
    env: {
      POOL_TARGET: String(howMany(150, 2000)),
      POOL_LOW_WATER: '40',
      RELAY_POLL_MS: String(relayPollMs),
      ...Object.fromEntries(
        databaseRoles.map((role) => [`${role.toUpperCase()}_DATABASE_URL`, through(role, urlAs(role, url))]),
      ),
    },
  })
  load = await startDatabaseLoad(stack, { everyMs: howMany(100, 200), wallets: 3 })
}, 120_000)
afterAll(async () => {
  await load?.end()
  await stack?.close()
  await Promise.all([standby?.stop(), ...[...proxies.values()].map((proxy) => proxy.close())])
  await own?.remove()
})

const print = (text: string) => void process.stderr.write(`${text}\n`)
const pids = () => [...stack.processes].map(([name, each]) => [name, each.pid, each.running()])
async function readiness(name: string): Promise<{ status: number; checks: Record<string, string> }> {
  const answer = await fetch(
    (stack.processes.get(name)?.metricsUrl() ?? '').replace('/metrics', '/health/ready'),
  )
  const { checks } = (await answer.json()) as { checks: Record<string, string> }
  return { status: answer.status, checks }
}
const allReady = () =>
  waitFor('all processes to be ready', async () => {
    for (const name of stack.processes.keys()) if ((await readiness(name)).status !== 200) return false
    return true
  }).catch((error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  })

/**
 * Applies a fault; afterwards everything works again, in the same processes, and callers got only answers
 * with the time to repeat.
 */
async function recoversFrom(
  what: string,
  fault: () => Promise<unknown>,
  { mayFail = true } = {},
): Promise<void> {
  const before = pids()
  const from = load.calls.length
  await fault()
  const over = performance.now()
  await allReady()
  const readyMs = performance.now() - over
  const ms = await load.works()
  print(
    `${what}: all ready after ${Math.round(readyMs)} ms, working after ${Math.round(performance.now() - over)} ms, block to webhook ${Math.round(ms)} ms`,
  )
  expect(pids()).toEqual(before)
  const failed = load.calls.slice(from).filter(({ status }) => status >= 300 || status === 0)
  expect(
    failed.filter(({ status, retryAfter }) => ![503, 409].includes(status) || !(Number(retryAfter) > 0)),
  ).toEqual([])
  if (!mayFail) expect(failed).toEqual([])
}

interface Figures {
  callP99: number
  webhookP99: number
}
/** Measures calls and payments under the load alone. */
async function measure(what: string): Promise<Figures> {
  const [calls, paid] = [load.calls.length, load.paid.length]
  await waitFor('enough payments', async () => load.paid.length >= paid + howMany(8, 100), 120_000)
  const measured = load.paid.slice(paid, paid + howMany(8, 100))
  await waitFor('their webhooks', async () => measured.every((each) => load.detectedAfter(each) !== null))
  const callMs = load.calls.slice(calls).map(({ ms }) => ms)
  const webhookMs = measured.map((each) => load.detectedAfter(each) ?? Number.NaN)
  const figures = { callP99: percentile(callMs, 0.99), webhookP99: percentile(webhookMs, 0.99) }
  const show = (values: readonly number[]) =>
    `p50 ${Math.round(percentile(values, 0.5))} ms, p99 ${Math.round(percentile(values, 0.99))} ms`
  print(
    `${what}: ${callMs.length} calls ${show(callMs)}; ${webhookMs.length} payments, block to webhook ${show(webhookMs)}`,
  )
  return figures
}
let usual: Figures
/** Generous: other suites share the processors. */
const expectAsBefore = ({ callP99, webhookP99 }: Figures) => {
  expect(callP99).toBeLessThan(2 * usual.callP99 + 1000)
  expect(webhookP99).toBeLessThan(2 * usual.webhookP99 + 1500)
  // Without LISTEN the relay would find some of them seconds later than usual.
  expect(webhookP99).toBeLessThan(usual.webhookP99 + relayPollMs / 2)
}

test('the usual times', async () => {
  usual = await measure('before')
})

test.each(databaseRoles.map((role) => ({ role })))(
  '$role alone loses its connections and gets no new ones for a while',
  async ({ role }) => {
    await recoversFrom(`${role} alone`, async () => {
      proxyOf(role).refuse()
      await waitFor('the process to report it', async () => (await readiness(role)).status === 503).finally(
        async () => {
          await pause(awayMs)
          proxyOf(role).open()
        },
      )
    })
  },
)

const stopWith = async (signal: NodeJS.Signals) => {
  process.kill(own.server().pid, signal)
  await own.server().ended
  await pause(awayMs)
  await own.startAgain()
  for (const proxy of proxies.values()) proxy.target = Number(new URL(own.server().url('x')).port)
}
test.each([
  { signal: 'SIGKILL', name: 'killed' },
  ...(full
    ? ([
        { signal: 'SIGINT', name: 'stopped fast' },
        { signal: 'SIGQUIT', name: 'stopped at once' },
      ] as const)
    : []),
] as const)('Postgres is $name and started again', async ({ signal, name }) => {
  await recoversFrom(`Postgres ${name}`, () => stopWith(signal))
})

test('Postgres is read-only for a while: reads are answered, writes are refused for now, and every process reports it', async () => {
  const admin = openModelDb(own.server().url('cowry'), 1)
  const readOnly = async (is: boolean) => {
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter system set default_transaction_read_only = ${is ? 'on' : 'off'}`)
    await admin.query('select pg_reload_conf()')
  }
  try {
    await recoversFrom('read-only', async () => {
      await readOnly(true)
      for (const name of stack.processes.keys())
        await waitFor(`${name} to report it`, async () => {
          const { status, checks } = await readiness(name)
          return status === 503 && Object.values(checks).some((reason) => reason.includes('read-only'))
        })
      const known = load.paid.at(-1)?.session.id
      expect((await stack.api('GET', `/pos/sessions/${known}`)).status).toBe(200)
      const refused = await stack.api('POST', '/pos/sessions', {
        chain: 'ethereum',
        token: 'USDC',
        amount: '5',
      })
      expect([refused.status, refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([
        503,
        'unavailable',
        true,
      ])
      await pause(readOnlyMs)
      await readOnly(false)
    })
  } finally {
    await readOnly(false)
    await admin.close()
  }
})

test('the times are as before', async () => {
  expectAsBefore(await measure('after'))
})

test('failover to a synchronous standby: nothing is lost, and sending resumes when the operator has allowed it', async () => {
  standby = await startStandby(own.server(), own.home)
  const admin = openModelDb(own.server().url('cowry'), 1)
  await admin.query("alter system set synchronous_standby_names = '*'")
  await admin.query('select pg_reload_conf()')
  await waitFor(
    'the standby to be synchronous',
    async () => (await admin.query("select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0,
  )
  await admin.close()
  await load.works()
  await recoversFrom('failover', async () => {
    process.kill(own.server().pid, 'SIGKILL')
    await own.server().ended
    await standby.promote()
    for (const proxy of proxies.values()) proxy.target = Number(new URL(standby.url('x')).port)
    await allReady()
    const at = { DATABASE_URL: standby.url('cowry') }
    await waitFor('its detection', async () =>
      (await runCommand(stack, 'intents', ['restored'], at)).out.includes('the database was restored'),
    )
    // It waits for the treasury to renew the pool.
    await waitFor(
      'reconciled',
      async () => (await runCommand(stack, 'intents', ['reconciled'], at)).code === 0,
    )
  })
  expectAsBefore(await measure('after the failover'))
})

test(
  'each payment is credited once, each transfer moved its amount once, each event arrived, and no row is left',
  () => load.expectNothingLostOrDoubled(),
  300_000,
)
