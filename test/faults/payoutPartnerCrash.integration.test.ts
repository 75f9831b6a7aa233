import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { payoutFailpoints } from '../../src/capabilities.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import type { PayoutFailpoint } from '../../src/platform/failpoints.ts'
import { type PayoutMakers, payoutMakers, usdc } from '../support/bankPayouts.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * The worker is killed at each step of a bank payout and of a top-up: nothing is paid twice, nothing is lost,
 * and the books have what the partner took.
 */

const ofBank = [
  'payouts.partner-claimed',
  'payouts.partner-submitted',
  'payouts.partner-answered',
  'payouts.partner-followed',
] as const
const amount = 25_000_000n
const topUps = {
  YELLOWCARD_TOP_UP: `ethereum:USDC:0x${'5'.repeat(40)}`,
  YELLOWCARD_TOP_UP_BELOW: '2000000',
  YELLOWCARD_TOP_UP_TO: '3000000',
}

let stack: Stack
let makers: PayoutMakers
let businessId: string
const proofs = mkdtempSync(join(tmpdir(), 'cowry-payouts-'))
const reached = new Set<PayoutFailpoint>()
const payouts = new Map<PayoutFailpoint, string>()

beforeAll(async () => {
  stack = await createStack({ processes: [] })
  makers = payoutMakers(stack.db)
  businessId = await makers.business(1_000_000_000n)
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

/** It may be killed before it is ready. */
const readyOrOver = (process: CowryProcess) => Promise.race([process.ready().catch(() => {}), process.ended])

/**
 * What killed workers have claimed is due at once, and what was lost is long ago. @param but SQL for rows
 * that are left alone
 */
const expireLeases = (but = 'false') =>
  stack.db.query(`update outflows set next_at = now(), submitted_at = submitted_at - interval '1 minute', absent_since = absent_since - interval '1 minute'
    where next_at is not null and kind = 'payout' and not (${but})`)
/**
 * The same while a worker runs, but for what it may be requesting from the partner now: a payout is claimed
 * for a minute, and waits half a minute for an answer.
 */
const expireMeanwhile = () =>
  setInterval(
    () =>
      void expireLeases(
        "next_at - now() between '27 s' and '30 s' or next_at - now() between '57 s' and '60 s'",
      ).catch(() => {}),
    300,
  )

async function killedAt(name: PayoutFailpoint, env: Record<string, string> = {}): Promise<void> {
  const proof = join(proofs, name)
  await expireLeases()
  const doomed = stack.launch(
    'worker',
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof, ...env },
    { as: name },
  )
  await readyOrOver(doomed)
  const timer = expireMeanwhile()
  await waitFor(`the kill at ${name}`, async () => !doomed.running()).finally(() => clearInterval(timer))
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

const ofSequence = (id: string) => stack.partner.payments.all().filter(({ sequenceId }) => sequenceId === id)

test('SIGKILL at each step of a bank payout: each is paid once', async () => {
  for (const name of ofBank) {
    payouts.set(name, (await makers.make(businessId, { amount })).id)
    await killedAt(name)
    for (const id of payouts.values()) expect(ofSequence(id).length).toBeLessThan(2)
  }
  await expireLeases()
  await stack.start('worker')
  const timer = expireMeanwhile()
  await waitFor(
    'the payouts',
    async () => {
      stack.partner.move(2000)
      return (
        (await stack.db.query("select 1 from outflows where kind = 'payout' and status = 'completed'"))
          .length === payouts.size
      )
    },
    60_000,
  )
    .catch(async (error) => {
      throw new Error(
        `${error.message}: ${JSON.stringify(await stack.db.query('select id, status, reason, tries, partner_status from outflows'))}\n${stack.troubles()}`,
      )
    })
    .finally(() => clearInterval(timer))
  await stack.stop('worker')
  expect([...payouts.values()].map((id) => ofSequence(id).map(({ status }) => status))).toEqual(
    ofBank.map(() => ['complete']),
  )
  expect(stack.partner.payments.all()).toHaveLength(payouts.size)
  const spent = stack.partner.payments
    .all()
    .reduce((sum, { usd, feeUsd }) => sum + (usd + feeUsd) * 10_000n, 0n)
  expect(await balanceOf(stack.db, { name: 'partner:yellowcard', businessId: null, asset: 'USD' })).toBe(
    -spent,
  )
  expect(await balanceOf(stack.db, { name: 'payouts_held', businessId, asset: usdc })).toBe(0n)
  expect(await balanceOf(stack.db, { name: 'available', businessId, asset: usdc })).toBe(
    1_000_000_000n - amount * BigInt(payouts.size),
  )
})

test('SIGKILL after a top-up was made: it is the only one', async () => {
  await killedAt('payouts.top-up-made', topUps)
  const rows = () =>
    stack.db.query<{ status: string; amount: string }>(
      "select status, amount::text from outflows where kind = 'top_up'",
    )
  const [made] = await rows()
  expect(made).toMatchObject({ status: 'pending', amount: expect.stringMatching(/^2000\d{9}$/) })
  await stack.db.query("update outflows set next_at = null where kind = 'top_up'")
  const asked = () => stack.partner.asked.filter((path) => path === '/business/account').length
  await stack.start('worker', topUps)
  const before = asked()
  await waitFor('a check of the balance', async () => asked() > before, 30_000)
  await stack.stop('worker')
  expect(await rows()).toEqual([made])
})

test('every failpoint of the partner and of top-ups was reached', () => {
  const wanted = (payoutFailpoints as readonly PayoutFailpoint[]).filter((name) =>
    /^payouts\.(partner|top-up)-/.test(name),
  )
  expect([...reached].sort()).toEqual([...wanted].sort())
})
