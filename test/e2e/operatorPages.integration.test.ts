import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { startChromium } from '../support/chromium.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { makeTaking } from '../support/madeTakings.ts'
import { createStack, type SessionBody } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'
import {
  dialog,
  go,
  heading,
  press,
  settled,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

await awayFromMidnight()

// The pages of an operator of the platform, in a real browser, with a worker and an indexer that report.

let world: World
let operator: Person
let shop: string
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum'], processes: ['cowry'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  operator = await addPerson(stack, { operator: true })
  const owner = await addPerson(stack)
  shop = await addBusiness(stack, owner)
  await addMember(stack, shop, 'cashier')
  await stack.db.query("update businesses set name = 'Harbour Coffee' where id = $1", [shop])
  for (let day = 0; day < 5; day++)
    await makeTaking(stack.db, shop, { at: new Date(Date.now() - day * 86_400_000), amount: 20.5 })
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function open(path: string, options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const visitor = await visit(world, { as: operator, ...options })
  visitors.push(visitor)
  await go(visitor.page, path)
  await settled(visitor.page)
  return visitor.page
}

/** Kills the job of a session's payment, as if its handler had failed 12 times. */
async function deadJob(): Promise<{ session: SessionBody; job: string }> {
  const { stack } = world
  const session = await stack.createSession({
    chain: 'ethereum',
    token: 'USDC',
    amount: '25',
    reference: 'Table 9',
  })
  const [job] = await stack.db.query<{ id: string }>(
    `insert into outbox (queue, payload, tries_left, dead_at, last_error) values ('session-payment', $1, 0, now(), 'the database was away')
     returning id::text`,
    [JSON.stringify({ sessionId: session.id, reason: 'detected' })],
  )
  return { session, job: job?.id ?? '' }
}

describe('health', () => {
  test('shows the chain with its head and node, and the queues, as indexer and worker report them', async () => {
    const { db } = world.stack
    await waitFor('reports', async () => {
      const [row] = await db.query<{ n: number }>(
        'select (select count(*) from chain_reports where head is not null)::int * (select count(*) from queue_reports where waiting is not null)::int as n',
      )
      return (row?.n ?? 0) > 0
    })
    const page = await open('/dashboard/platform/health')
    expect(await heading(page)).toBe('Health')
    const chain = page.getByRole('table', { name: 'Chains' }).getByRole('row', { name: /Ethereum/ })
    expect(await chain.textContent()).toMatch(/Head \d+/)
    expect(await chain.textContent()).toContain('127.0.0.1')
    await page.getByText('Redis answers').waitFor()
    await page.getByText('There is none.', { exact: true }).waitFor()
  })

  test('replays a dead job, whose effect is counted once, and the audit log names who did it', async () => {
    const { db } = world.stack
    const { session, job } = await deadJob()
    const page = await open('/dashboard/platform/health')
    await page.getByText('Jobs of session-payment were given up: 1.').waitFor()
    const row = page.getByRole('row', { name: /the database was away/ })
    expect(await row.textContent()).toContain(session.id)
    await page.getByRole('button', { name: `Replay job ${job}` }).click()
    await press(await dialog(page, 'Replay this job?'), 'Replay job')
    await waitForStatus(page, '1 job is tried again.')
    await waitFor(
      'the job to be done',
      async () => (await db.query('select 1 from outbox where id = $1', [job])).length === 0,
    )
    await page.getByText('There is none.', { exact: true }).waitFor()
    const entries = await db.query<{ label: string }>(
      "select actor_label as label from audit_log where action = 'job.replayed' and target = $1",
      [job],
    )
    expect(entries).toEqual([{ label: operator.email }])
  })

  test('replays all dead jobs of a queue: a payment that came meanwhile is credited once', async () => {
    const { stack } = world
    const { session } = await deadJob()
    await deadJob()
    await stack.pay(session)
    await stack.mine(4)
    await waitFor('paid', async () => (await stack.session(session.id)).status === 'paid')
    const page = await open('/dashboard/platform/health')
    await page.getByRole('button', { name: 'Replay all of session payment (2)' }).click()
    await press(await dialog(page, 'Replay all dead jobs of session payment?'), 'Replay all')
    await waitForStatus(page, '2 jobs are tried again.')
    await waitFor(
      'the jobs to be done',
      async () => (await stack.db.query("select 1 from outbox where queue = 'session-payment'")).length === 0,
    )
    expect(
      await stack.db.query('select count(*)::int as n from session_payments where session_id = $1', [
        session.id,
      ]),
    ).toEqual([{ n: 1 }])
    expect((await stack.session(session.id)).amountReceived).toBe('25')
  })

  test('is no page of an owner, and no answer to one', async () => {
    const owner = await addMember(world.stack, shop, 'owner')
    const page = await open('/dashboard/platform/health', { as: owner })
    expect(await heading(page)).toBe('There is no such page')
    expect(await page.getByRole('table', { name: 'Chains' }).count()).toBe(0)
  })
})

describe('businesses', () => {
  test('have their members, what they took, and their audit log', async () => {
    const page = await open('/dashboard/platform/businesses?q=Harbour&order=volume+DESC')
    const row = page.getByRole('row', { name: /Harbour Coffee/ })
    expect(await row.textContent()).toMatch(/20\.50\sUSD.*102\.50\sUSD/)
    await page.getByRole('link', { name: 'Harbour Coffee' }).click()
    await page.getByRole('table', { name: 'Members' }).getByText('Cashier').waitFor()
    await page.getByRole('link', { name: 'What was changed in it' }).click()
    await page.getByText('Business created').first().waitFor()
    expect(await page.getByRole('link', { name: 'Harbour Coffee' }).count()).toBeGreaterThan(0)
  })
})

const pages = [
  'health',
  'businesses',
  'float',
  'partners',
  'verification-prices',
  'plans',
  'adjustments',
  'suspense',
  'closes',
  'audit',
]

test('no page of the platform has a fault that axe finds, or is wider than a phone', async () => {
  await deadJob()
  const page = await open('/dashboard/platform/health', { bypassCSP: true })
  const faults: unknown[] = []
  for (const name of [...pages, `businesses/${shop}`]) {
    await go(page, `/dashboard/platform/${name}`)
    await settled(page)
    faults.push(...(await examine(page, name)))
  }
  expect(faults).toEqual([])
})
