import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { type PayoutMakers, payoutMakers } from '../support/bankPayouts.ts'
import { startChromium } from '../support/chromium.ts'
import { addMember } from '../support/dashboardSession.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'
import { go, heading, settled, type Visitor, visit, type World, worldOf } from './browser/world.ts'

// The days of Lagos.
await awayFromMidnight({ hoursAhead: 1 })

// A month of a shop: payments at prices in naira, and payouts to a bank, one of which it sends back. What an
// accountant gets of it agrees to the unit, by a script that knows nothing of Cowry.

const timeZone = 'Africa/Lagos'
const month = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(
  new Date(),
)
const period = `month=${month}&timeZone=${timeZone}`
const script = join(import.meta.dirname, 'accountant/agree.mjs')

let stack: Stack
let world: World
let makers: PayoutMakers
let businessId: string
let key: Record<string, string>
let folder: string

beforeAll(async () => {
  const [made, chromium] = await Promise.all([buildDashboard().then(() => createStack()), startChromium()])
  stack = made
  world = worldOf(stack, chromium)
  folder = mkdtempSync(join(tmpdir(), 'accountant-'))
  makers = payoutMakers(stack.db)
  businessId = await makers.business(1_000_000n)
  await stack.db.query("update businesses set local_currency = 'NGN', time_zone = $2 where id = $1", [
    businessId,
    timeZone,
  ])
  const shopKey = await createApiKey(stack, { businessId, name: 'shop', scope: 'write', environment: 'test' })
  key = { 'x-api-key': shopKey.reveal() }
  const sessions = await Promise.all(
    ['25000', '1999.99', '47'].map((localAmount, n) => makeSession(localAmount, `table ${n + 1}`)),
  )
  for (const session of sessions) await stack.pay(session)
  await stack.mine(4)
  for (const { id } of sessions) await isPaid(id)
  await payOut(15_764_417n)
  const { id } = await payOut(1_234_567n)
  await sendBack(id)
}, 600_000)
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true })
  await world?.close()
})

async function makeSession(localAmount: string, reference: string): Promise<SessionBody> {
  const body = { chain: 'ethereum', token: 'USDC', localAmount, localCurrency: 'NGN', reference }
  const answer = await stack.api<SessionBody>('POST', '/pos/sessions', body, key)
  expect(answer.status).toBe(201)
  return answer.body
}

const isPaid = (id: string) =>
  waitFor('a paid session', async () => {
    const { body } = await stack.api<SessionBody>('GET', `/pos/sessions/${id}`, undefined, key)
    return body.status === 'paid'
  })

const statusOf = async (id: string) => {
  const [row] = await stack.db.query<{ status: string }>('select status from outflows where id = $1', [id])
  return row?.status
}

async function payOut(amount: bigint): Promise<{ id: string }> {
  const { id } = await makers.make(businessId, { amount })
  await waitFor('a payout at the bank', async () => {
    stack.partner.move(20_000)
    await stack.db.query('update outflows set next_at = now() where id = $1 and next_at > now()', [id])
    return (await statusOf(id)) === 'completed'
  })
  return { id }
}

async function sendBack(id: string): Promise<void> {
  const payment = stack.partner.payments.all().find(({ sequenceId }) => sequenceId === id)
  if (!payment) throw new Error('the partner has no such payment')
  stack.partner.payments.giveBack(payment)
  await waitFor('a returned payout', async () => {
    await stack.db.query("update outflows set next_at = now() where id = $1 and status = 'completed'", [id])
    return (await statusOf(id)) === 'returned'
  })
}

/** All pages of a list, or a whole file. */
async function csv(path: string): Promise<string> {
  let text = ''
  let next: string | undefined = `/api/v1${path}`
  while (next !== undefined) {
    const response: Response = await fetch(`${world.origin}${next}`, {
      headers: { ...key, accept: 'text/csv' },
    })
    expect([path, response.status]).toEqual([path, 200])
    const page = await response.text()
    text += text === '' ? page : page.slice(page.indexOf('\r\n') + 2)
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return text
}

/** What the bank's own statement says: what it got, and what it sent back. */
function bankStatement(): string {
  const lines = stack.partner.payments.all().flatMap(({ sequenceId, status, errorCode, local, given }) => {
    const amount = `${local / 100n}.${String(local % 100n).padStart(2, '0')}`
    const line = (sign: string) => `${sequenceId},${sign}${amount},${given.currency}`
    if (status === 'complete') return [line('')]
    return errorCode === 'RETURNED' ? [line(''), line('-')] : []
  })
  return ['payout,amount,currency', ...lines, ''].join('\r\n')
}

/** @returns what the script prints, and its exit code */
async function agree(): Promise<{ code: number; out: string; problems: string }> {
  const run = promisify(execFile)(process.execPath, [script, folder])
  return run.then(
    ({ stdout }) => ({ code: 0, out: stdout, problems: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      out: stdout,
      problems: stderr,
    }),
  )
}

const files: Record<string, () => Promise<string>> = {
  sessions: () => csv('/pos/sessions?limit=2&sort=ASC'),
  payouts: () => csv('/payouts?limit=1&sort=ASC'),
  entries: () => csv('/ledger/entries?sort=ASC&bom=true'),
  statement: () => csv(`/ledger/statement?${period}`),
  bank: async () => bankStatement(),
}

test("an accountant's month agrees to the unit, and fees can be booked", async () => {
  for (const [name, read] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), await read())
  const { code, out, problems } = await agree()
  expect([problems, code]).toEqual(['', 0])
  expect(out).toMatch(/^book fee: -\d+\.\d+ USDC \(-\d+(\.\d+)? NGN\)$/m)
  expect(out).toMatch(/^3 sessions, 2 payouts, /m)
})

test.each(Object.keys(files))('one unit more in the file of %s is noticed', async (name) => {
  const file = join(folder, `${name}.csv`)
  const kept = readFileSync(file, 'utf8')
  const [head = '', ...lines] = kept.replace(/^\ufeff/, '').split('\r\n')
  const column = head.split(',').indexOf(name === 'sessions' ? 'amount_received' : 'amount')
  // Amounts stand before any text that could have a comma.
  const changed = lines.map((line, at) => {
    const cells = line.split(',')
    const [whole = '', fraction = ''] = (cells[column] ?? '').split('.')
    if (at === 0) cells[column] = `${whole}.${fraction}1`
    return cells.join(',')
  })
  writeFileSync(file, [head, ...changed].join('\r\n'))
  const { code, problems } = await agree()
  writeFileSync(file, kept)
  expect([code, problems]).toEqual([1, expect.stringContaining('does not agree')])
})

describe('the pages of the books', () => {
  let here: Visitor
  let page: Page
  const at = (path: string) => `/dashboard/b/${businessId}/${path}`

  beforeAll(async () => {
    here = await visit(world, { as: await addMember(stack, businessId, 'owner'), bypassCSP: true })
    page = here.page
  })
  afterAll(() => here?.leave())

  test('balances have a total in naira, hide zeros until they are wanted, and are those of a day', async () => {
    await go(page, at('balances'))
    await page.getByText(/^Total [\d,.]+ NGN$/).waitFor()
    expect(await examine(page, 'balances')).toEqual([])
    await go(page, `${at('balances')}?date=2024-01-31`)
    await page.getByText('All balances are zero.').waitFor()
    await page.getByLabel('Show zero balances').press('Space')
    await page.getByRole('row', { name: 'USDC on Ethereum' }).waitFor()
    expect(page.url()).toContain('zeros=shown')
  })

  test('an entry leads to its payment and payout, with fees by themselves', async () => {
    await go(page, at('entries'))
    const posted = page.getByRole('row', { name: 'Payout posted' }).first()
    await posted.getByText(/^Fee: −[\d.]+ USDC · [\d,.]+ NGN$/).waitFor()
    await posted.getByText('To Guaranty Trust Bank').waitFor()
    await page.getByRole('row', { name: 'Deposit' }).getByText('Reference table 1').first().waitFor()
    expect(await examine(page, 'entries')).toEqual([])
    await posted.getByRole('link', { name: 'Payout' }).press('Enter')
    await page.waitForURL(/\/payouts\/[0-9a-f-]{36}$/)
  })

  test('a statement is read, printed, and kept as CSV and PDF', async () => {
    await go(page, at('statement'))
    expect(await heading(page)).toBe('Statement')
    await page
      .getByRole('row', { name: 'Fees' })
      .getByText(/^−[\d.]+ NGN$/)
      .waitFor()
    await page
      .getByRole('row', { name: 'To the bank' })
      .getByText(/^−[\d,]+ NGN$/)
      .waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe(timeZone)
    expect(await examine(page, 'statement')).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    if (process.env.SCREENSHOTS) await page.pdf({ path: join(process.env.SCREENSHOTS, 'printed.pdf') })
    await page.emulateMedia({ media: 'screen' })
    await settled(page)
    for (const [button, start] of [
      ['Download PDF', '%PDF-'],
      ['Download CSV', '\ufeffaccount,asset,line'],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).press('Enter')
      const path = await (await download).path()
      expect(readFileSync(path, 'latin1').length).toBeGreaterThan(100)
      expect(readFileSync(path, 'utf8').startsWith(start)).toBe(true)
      if (process.env.SCREENSHOTS && start === '%PDF-')
        writeFileSync(join(process.env.SCREENSHOTS, 'statement.pdf'), readFileSync(path))
    }
  })

  test('nothing of the pages was refused by the browser, and none logged an error', () => {
    expect(world.recorded.errors).toEqual([])
  })
})

test('a PDF is for statements alone', async () => {
  const answer = async (path: string) => {
    const response = await fetch(`${world.origin}/api/v1${path}`, {
      headers: { ...key, accept: 'application/pdf' },
    })
    await response.arrayBuffer()
    return [response.status, response.headers.get('content-type')]
  }
  expect(await answer(`/ledger/statement?${period}`)).toEqual([200, 'application/pdf'])
  expect(await answer('/ledger/entries')).toEqual([406, 'application/json; charset=utf-8'])
})
