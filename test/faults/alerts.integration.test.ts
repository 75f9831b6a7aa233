import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type AlertFault, alertFaults } from '../../scripts/alertFaults.ts'
import { alertFiles } from '../../scripts/alertsPage.ts'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { type DirectConnection, openDirect } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { runScript } from '../support/command.ts'
import { full } from '../support/full.ts'
import { makeRepricedPayout } from '../support/madePayout.ts'
import { forkSuspense, makeSuspense } from '../support/madeSuspense.ts'
import { notHeldBack, type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { acknowledge, restore } from '../support/restoring.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { makePlan, makeStake } from '../support/stakeRow.ts'
import { waitFor } from '../support/waitFor.ts'
import { type NodeGate, passAll, startNodeGate } from './nodeGate.ts'

// Faults on a real deployment with a real Prometheus that evaluates the rules. Minutes of the rules are
// seconds here.

interface Fault {
  /** Its alerts end with it: those about what was counted take as long as their window. */
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

const root = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'cowry-alerts-'))
let stack: Stack
/** Of the two nodes. */
let gates: NodeGate[]
let prometheus: Prometheus
let mining: NodeJS.Timeout

/** Waits are 30 times shorter, windows 20 times: a window needs some scrapes. */
function quickRules(): string[] {
  const seconds = { m: 60, h: 3600 }
  const shorter = (number: string, unit: string, times: number) =>
    `${Math.ceil((Number(number) * seconds[unit as 'm' | 'h']) / times)}s`
  return globSync('grafana/alerts/*.yml', { cwd: root }).map((file) => {
    const quick = readFileSync(join(root, file), 'utf8')
      .replaceAll(
        /for: (\d+)([mh])\b/g,
        (_, number: string, unit: string) => `for: ${shorter(number, unit, 30)}`,
      )
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
  const [row] = await stack.db.query<{ id: string }>(
    'select account_id as id from ledger_balances where balance > 0 order by 1 limit 1',
  )
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

const nothing = async () => {}
const answering = (instead: NodeGate['instead'], which: () => readonly NodeGate[] = () => gates): Fault => ({
  begin: async () => void which().forEach((gate) => void Object.assign(gate, { instead })),
  end: async () => void which().forEach((gate) => void Object.assign(gate, { instead: passAll })),
})
const second = () => gates.slice(1)
const isDown: NodeGate['instead'] = async () => ({ error: { code: -32000, message: 'down' } })

/** As the api stores it, and its caller has not sent it; no worker comes to it. */
async function aStake(): Promise<string> {
  const planId = await makePlan(stack.db, { token: 'ETH' })
  const from = stack.wallet().account.address.toLowerCase()
  const id = await makeStake(stack.db, {
    ...{ planId, businessId: stack.businessId, from, amount: 1n, confirmedAt: null },
  })
  await stack.db.query("update stakes set next_at = now() + interval '1 hour' where id = $1", [id])
  return id
}

/** One that its caller has ended. */
const anEndedStake = (status: 'unstaking' | 'withdrawn', more: string): Fault => ({
  async begin() {
    made = await aStake()
    await stack.db.query("update intents set status = 'failed', next_reconcile_at = null where id = $1", [
      made,
    ])
    await stack.db.query(
      `update stakes set status = $2, unstaked_at = now(), unstake_proof = 'x', penalty = 0, next_at = now() + interval '1 hour', ${more} where id = $1`,
      [made, status],
    )
  },
  end: () =>
    stack.db.query("update stakes set status = 'withdrawn', rewards = 0, next_at = null where id = $1", [
      made,
    ]),
})

/** Of a stake. */
const aTransfer = (status: 'created' | 'unknown', age: string, waitsForFee = false): Fault => ({
  async begin() {
    made = await aStake()
    await stack.db.query(
      `update intents set status = $2, created_at = now() - $3::interval, next_reconcile_at = now() + interval '1 hour',
         fee_waits_since = case when $4 then now() - $3::interval end where id = $1`,
      [made, status, age, waitsForFee],
    )
  },
  end: () =>
    stack.db.query("update intents set status = 'failed', next_reconcile_at = null where id = $1", [made]),
})

const restartTreasury = async () => {
  await stack.stop('treasury')
  await stack.start('treasury', { METRICS_PORT: treasuryPort })
}
const scrapedAgain = async (times: number) => {
  const scrapes = Number((await prometheus.query('max(count_over_time(up[1h]))'))[0]?.value[1])
  await prometheus.scraped(scrapes + times)
}

/** The session of the database that leads in place of the indexer. */
let usurper: DirectConnection | null = null
let made = ''
let paying: NodeJS.Timeout
const old = "now() - interval '2 hours'"

const faults: Record<AlertFault, Fault> = {
  'a job that was given up': {
    begin: () =>
      stack.db.query(
        `insert into outbox (queue, payload, tries_left, dead_at) values ('session-payment', '{}', 0, now())`,
      ),
    end: () => stack.db.query('delete from outbox where dead_at is not null'),
  },
  'a database that was restored': {
    begin: () => restore(stack.db),
    end: () => acknowledge(stack.db),
  },
  'a job that is tried again much later': {
    begin: () =>
      stack.db.query(
        `insert into outbox (queue, payload, tries_left, created_at, relay_after) values ('session-payment', '{}', 3, ${old}, now() + interval '1 hour')`,
      ),
    end: () => stack.db.query("delete from outbox where relay_after > now() + interval '10 minutes'"),
  },
  'a treasury that has ended': {
    begin: () => stack.stop('treasury'),
    end: () => stack.start('treasury', { METRICS_PORT: treasuryPort }),
  },
  'a treasury that ends again and again': {
    async begin() {
      for (let i = 0; i < 5; i++) {
        await restartTreasury()
        await scrapedAgain(2)
      }
    },
    end: nothing,
  },
  'nodes that answer nothing usable': answering(isDown),
  'a second node that is down': answering(isDown, second),
  'an indexer whose place another session holds': {
    async begin() {
      usurper = await openDirect(stack.databaseUrl, 'usurper')
      const mine = usurper.query("select pg_advisory_lock(hashtext('cowry-indexer'), hashtext($1))", [
        stack.chain,
      ])
      await stack.db.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and classid::bigint = hashtext('cowry-indexer')::bigint & 4294967295`,
      )
      await mine
    },
    end: async () => usurper?.close(),
  },
  'a balance that was changed behind the ledger': {
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
  'a treasury that holds less than its operator wants': {
    async begin() {
      await stack.db.query(
        "insert into treasury_levels (chain, token, low_water) values ($1, 'USDC', 1000000)",
        [stack.chain],
      )
      // Balances are read where something may be swept: here nothing is worth it.
      await stack.db.query(
        "insert into sweep_settings (business_id, chain, token, enabled, threshold) values ($1, $2, 'USDC', true, 1000000000000)",
        [stack.businessId, stack.chain],
      )
    },
    async end() {
      for (const table of ['sweep_settings', 'treasury_levels', 'treasury_floats'])
        await stack.db.query(`delete from ${table}`)
    },
  },
  'money without a known owner': {
    async begin() {
      made = await makeSuspense(stack.db, 5_000_000n)
    },
    end: () => forkSuspense(stack.db, made, 'reverted'),
  },
  'a payout that waits for its partner': {
    async begin() {
      made = await makeRepricedPayout(stack.db, stack.businessId)
      await stack.db.query(`update payout_destinations set created_at = ${old}, usable_from = ${old}`)
      await stack.db.query(
        `update outflows set created_at = ${old}, reason = null, next_at = now() + interval '1 hour' where id = $1`,
        [made],
      )
    },
    end: () => stack.db.query('update outflows set created_at = now() where id = $1', [made]),
  },
  'a receiver that takes nothing, for longer than deliveries are tried': {
    async begin() {
      stack.receiver.answer = () => ({ status: 500 })
      await pay()
    },
    async end() {
      stack.receiver.answer = () => ({ status: 204 })
      await pay()
    },
  },
  'an event outside every week': {
    begin: () =>
      stack.db.query(
        `insert into events (id, created_at, business_id, sequence, type, data) values (gen_random_uuid(), '2001-01-01', $1, 1000000, 'session.created', '{}')`,
        [stack.businessId],
      ),
    end: () => stack.db.query('truncate events_default'),
  },
  'mails without a mail server': {
    begin: () =>
      stack.db.query(
        `insert into mails (id, kind, email, next_attempt_at) values (gen_random_uuid(), 'reset', 'nobody@example.com', now() + interval '1 hour')`,
      ),
    end: () => stack.db.query('delete from mails'),
  },
  'a table that an operation misses': {
    async begin() {
      await stack.db.query('alter table payout_destinations rename to misplaced')
      for (let i = 0; i < 60; i++) await stack.api('GET', '/payout-destinations')
      for (let i = 0; i < 60; i++) await stack.api('GET', '/pos/sessions/none')
    },
    end: () => stack.db.query('alter table misplaced rename to payout_destinations'),
  },
  'passwords that are guessed from many networks': {
    async begin() {
      const guess = (network: number) =>
        stack.api(
          'POST',
          '/auth/login',
          { email: demoEmail, password: `guess ${network}` },
          { 'x-forwarded-for': `203.0.${network}.1` },
        )
      // Those that the machine was too busy to check do not count.
      for (let i = 0, refused = 0; i < 250 && refused < 5; i++) if ((await guess(i)).status === 429) refused++
    },
    end: nothing,
  },
  'a Redis that is frozen': {
    begin: async () => void process.kill(stack.redis.pid, 'SIGSTOP'),
    end: async () => void process.kill(stack.redis.pid, 'SIGCONT'),
  },
  'a second node that is down while payments are credited': {
    async begin() {
      await answering(isDown, second).begin()
      // What was credited counts for a window; the node is left alone longer than that.
      paying = setInterval(() => void pay().catch(() => {}), 5000)
    },
    async end() {
      clearInterval(paying)
      await answering(isDown, second).end()
    },
  },
  'a second node that answers for another chain': answering(
    async ({ name }) => (name === 'eth_chainId' ? '0x2a' : { error: { code: -32000, message: 'down' } }),
    second,
  ),
  'a transfer that is not signed': aTransfer('created', '5 minutes'),
  'a transfer of which nobody knows if it was sent': aTransfer('unknown', '10 minutes'),
  'a payout of which nobody knows for two hours if it left': {
    async begin() {
      made = await makeRepricedPayout(stack.db, stack.businessId)
      await stack.db.query(
        `update outflows set status = 'unknown', reason = null, next_at = null, updated_at = ${old} where id = $1`,
        [made],
      )
    },
    end: () =>
      stack.db.query(
        "update outflows set status = 'pending', next_at = now() + interval '1 hour', updated_at = now() where id = $1",
        [made],
      ),
  },
  'an end by hand that no second operator looks at': {
    async begin() {
      const outflow = await makeRepricedPayout(stack.db, stack.businessId)
      made = newId()
      await stack.db.query(
        `update outflows set reason = null, next_at = now() + interval '1 hour' where id = $1`,
        [outflow],
      )
      await stack.db.query(
        `insert into outflow_ends (id, outflow_id, revision, status, paid_by_platform, evidence, proposed_by, proposed_at, expires_at)
         select $1, $2, 1, 'failed', false, 'the bank says so', id, now() - interval '2 days', now() + interval '5 days' from accounts limit 1`,
        [made, outflow],
      )
    },
    end: () => stack.db.query('delete from outflow_ends where id = $1', [made]),
  },
  'an entry of the audit log after its last month': {
    begin: () =>
      stack.db.query(
        "insert into audit_log (id, actor_kind, actor_label, action) values ('fffffffe-0000-7000-8000-000000000000', 'system', 'a wrong clock', 'test.recorded')",
      ),
    end: () =>
      stack.db.tx(async (tx) => {
        await tx.query('alter table audit_log_later disable trigger user')
        await tx.query('delete from audit_log_later')
        await tx.query('alter table audit_log_later enable trigger user')
      }),
  },
  'a transfer that waits for a lower fee': aTransfer('created', '40 minutes', true),
  'a comparison with the chain that fails for a day': {
    async begin() {
      await stack.db.query(
        'insert into chain_checks (chain, ended_at, drifts) select $1, now(), 0 where not exists (select from chain_checks where drifts is not null)',
        [stack.chain],
      )
      await stack.db.query(
        "update chain_checks set started_at = now() - interval '2 days', ended_at = now() - interval '2 days'",
      )
      await stack.db.query(
        "insert into chain_checks (chain, ended_at, problem) values ($1, now(), 'no node answers')",
        [stack.chain],
      )
    },
    end: () => stack.db.query('update chain_checks set started_at = now(), ended_at = now()'),
  },
  'a stake that is not paid back': anEndedStake('unstaking', `rewards = 0, withdraw_requested_at = ${old}`),
  'rewards of a stake without money for them': anEndedStake('withdrawn', 'rewards = 1, confirmed_at = now()'),
  'a token that keeps a part of a transfer': {
    async begin() {
      made = await aStake()
      await stack.db.query(
        `update intents set status = 'confirmed', token_kept = '[{"address": "0x1", "token": "USDC", "amount": "1"}]', next_reconcile_at = null, updated_at = now() where id = $1`,
        [made],
      )
    },
    end: () => stack.db.query("update intents set status = 'failed' where id = $1", [made]),
  },
}
const short: AlertFault[] = [
  'a job that was given up',
  'a database that was restored',
  'a job that is tried again much later',
]
let treasuryPort = ''

beforeAll(async () => {
  stack = await createStack({
    processes: ['treasury', 'cowry'],
    // No account at a partner, which would be a difference until it is booked.
    env: {
      YELLOWCARD_URL: '',
      YELLOWCARD_API_KEY: '',
      YELLOWCARD_SECRET_KEY: '',
      WEBHOOK_RETRY_SECONDS: '0,1,1',
      WEBHOOK_PAUSE_AFTER_SECONDS: '3600',
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
    rpcUrls: async (url) => {
      gates = [await startNodeGate(url), await startNodeGate(url)]
      return gates.map((gate) => gate.url)
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
  for (const gate of gates ?? []) await gate.close()
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

const chosen = full ? (Object.keys(alertFaults) as AlertFault[]) : short

test.each(chosen.map((name) => ({ name, alerts: [...alertFaults[name]].sort() })))(
  '$name raises exactly $alerts, until it is over',
  async ({ name, alerts }) => {
    const { begin, end } = faults[name]
    try {
      await begin()
      await notified(alerts)
      // Nothing more follows.
      await scrapedAgain(2)
      await notified(alerts)
    } finally {
      await end()
    }
    await notified([])
  },
)

test('names each alert that there is', () => {
  const known = alertFiles().flatMap((each) => each.alerts.map(({ alert }) => alert))
  expect(known).toEqual(expect.arrayContaining(Object.values(alertFaults).flat()))
})
