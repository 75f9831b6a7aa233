import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, test } from '@jest/globals'
import { runScript } from '../support/command.ts'
import { full } from '../support/full.ts'
import { notHeldBack, type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { acknowledge, restore } from '../support/restoring.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type NodeGate, passAll, startNodeGate } from './nodeGate.ts'

// Faults on a real deployment with a real Prometheus that evaluates the rules. Minutes of the rules are seconds here.

interface Fault {
  name: string
  /** In the order of their names. */
  alerts: string[]
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

const root = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'cowry-alerts-'))
let stack: Stack
let gate: NodeGate
let prometheus: Prometheus
let mining: NodeJS.Timeout

/** Waits are 30 times shorter, windows 20 times: a window needs some scrapes. */
function quickRules(): string[] {
  const seconds = { m: 60, h: 3600 }
  const shorter = (number: string, unit: string, times: number) => `${Math.ceil((Number(number) * seconds[unit as 'm' | 'h']) / times)}s`
  return globSync('grafana/alerts/*.yml', { cwd: root }).map((file) => {
    const quick = readFileSync(join(root, file), 'utf8')
      .replaceAll(/for: (\d+)([mh])\b/g, (_, number: string, unit: string) => `for: ${shorter(number, unit, 30)}`)
      .replaceAll(/\[(\d+)([mh])\]/g, (_, number: string, unit: string) => `[${shorter(number, unit, 20)}]`)
    writeFileSync(join(home, basename(file)), quick)
    return join(home, basename(file))
  })
}

async function pay(): Promise<void> {
  const session = await stack.createSession({ amount: '10' })
  await stack.send(session.address, 10_000_000n)
  await stack.sessionIs(session.id, 'paid')
}

const anAccount = async () => {
  const [row] = await stack.db.query<{ id: string }>('select account_id as id from ledger_balances where balance > 0 order by 1 limit 1')
  return row?.id ?? ''
}
const changeBalance = (by: number) =>
  stack.db.tx(async (tx) => {
    await tx.query('alter table ledger_balances disable trigger user')
    await tx.query('update ledger_balances set balance = balance + $1 where account_id = $2', [by, account])
    await tx.query('alter table ledger_balances enable trigger user')
  })
let account = ''
const close = () => runScript('ledger', ['close'], () => ({ DATABASE_URL: stack.databaseUrl }))

const short: Fault[] = [
  {
    name: 'a job that was given up',
    alerts: ['CowryOutboxDead'],
    begin: () => stack.db.query(`insert into outbox (queue, payload, tries_left, dead_at) values ('session-payment', '{}', 0, now())`),
    end: () => stack.db.query('delete from outbox where dead_at is not null'),
  },
  {
    name: 'a database that was restored',
    alerts: ['CowryRestored'],
    begin: () => restore(stack.db),
    end: () => acknowledge(stack.db),
  },
]
const long: Fault[] = [
  {
    name: 'a treasury that has ended',
    alerts: ['CowryProcessDown', 'CowryProcessMissing'],
    begin: () => stack.stop('treasury'),
    end: () => stack.start('treasury', { METRICS_PORT: treasuryPort }),
  },
  {
    name: 'nodes that answer nothing usable',
    alerts: ['CowryChainReadFails'],
    async begin() {
      gate.instead = async () => ({ error: { code: -32000, message: 'down' } })
    },
    async end() {
      gate.instead = passAll
    },
  },
  {
    name: 'a balance that was changed behind the ledger',
    alerts: ['CowryLedgerDrift'],
    async begin() {
      account = await anAccount()
      await changeBalance(1)
      await close()
    },
    async end() {
      await changeBalance(-1)
      await close()
    },
  },
  {
    name: 'a receiver that takes nothing, for longer than deliveries are tried',
    alerts: ['CowryWebhookTypesLost'],
    async begin() {
      stack.receiver.answer = () => ({ status: 500 })
      await pay()
    },
    async end() {
      stack.receiver.answer = () => ({ status: 204 })
      await pay()
    },
  },
  {
    name: 'a Redis that is frozen',
    alerts: ['CowryRedisAway'],
    begin: async () => void process.kill(stack.redis.pid, 'SIGSTOP'),
    end: async () => void process.kill(stack.redis.pid, 'SIGCONT'),
  },
]
let treasuryPort = ''

beforeAll(async () => {
  stack = await createStack({
    processes: ['treasury', 'cowry'],
    // No account at a partner, which would be a difference until it is booked.
    env: { YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '', WEBHOOK_RETRY_SECONDS: '0,1,1', WEBHOOK_PAUSE_AFTER_SECONDS: '3600' },
    rpcUrls: async (url) => {
      gate = await startNodeGate(url)
      return [gate.url]
    },
  })
  // A chain without blocks is a fault of its own.
  mining = setInterval(() => void stack.mine().catch(() => {}), 1000)
  const targets = [...stack.processes.values()].map((each) => each.metricsUrl())
  treasuryPort = new URL(stack.processes.get('treasury')?.metricsUrl() ?? '').port
  prometheus = await startPrometheus({ targets, rules: quickRules() })
  await pay()
  await prometheus.scraped(3)
})
afterAll(async () => {
  clearInterval(mining)
  await prometheus?.close()
  await stack?.close()
  await gate?.close()
  rmSync(home, { recursive: true, force: true })
})

/** Waits until exactly these fire, without those that Alertmanager would hold back. */
async function notified(names: readonly string[]): Promise<void> {
  let last: string[] = []
  await waitFor(
    `alerts: ${names.join(', ')}`,
    async () => {
      // Limits are counted, which shows whether Redis answers.
      await stack.api('GET', '/pos/sessions/none').catch(() => {})
      last = notHeldBack((await prometheus.alerts()).filter(({ state }) => state === 'firing'))
      return JSON.stringify(last) === JSON.stringify(names)
    },
    120_000,
  ).catch((error) => {
    throw new Error(`${error.message}; there are ${last.join(', ')}\n${stack.troubles()}`)
  })
}

test('without a fault nothing is raised', () => notified([]))

test.each(full ? [...short, ...long] : short)('$name raises exactly $alerts, until it is over', async ({ alerts, begin, end }) => {
  await begin()
  try {
    await notified(alerts)
    // Nothing else follows.
    const scrapes = Number((await prometheus.query('max(count_over_time(up[1h]))'))[0]?.value[1])
    await prometheus.scraped(scrapes + 2)
    await notified(alerts)
  } finally {
    await end()
  }
  await notified([])
})
