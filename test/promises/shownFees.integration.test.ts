import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { knownChain, type Token, tokenOf } from '../../src/chains/registry.ts'
import { moveOutflow } from '../../src/outflows/moveOutflow.ts'
import { lockOutflow, type Outflow, readOutflows } from '../../src/outflows/outflow.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { priceFromAmount, priceFromLocal } from '../../src/pricing/price.ts'
import { getSession } from '../../src/sessions/getSession.ts'
import { seeded } from '../faults/random.ts'
import { checkoutUrl } from '../support/checkoutUrl.ts'
import type { TestDatabase } from '../support/database.ts'
import { howMany } from '../support/full.ts'
import { makeAutopayout } from '../support/madeAutopayout.ts'
import { settleMade } from '../support/madeRefunds.ts'
import { makePayment, makeSession } from '../support/madeSessions.ts'
import { chains, createSessionDatabase } from '../support/sessionDatabase.ts'
import { settling } from '../support/settling.ts'
import { by, ceilTo, floorTo, fraction, isSame, times } from './amounts/fraction.ts'
import { type Dice, one, pick } from './histories/dice.ts'

/*
 * The fee that a session shows is the fee that its payout shows and posts: for random amounts, fees in
 * percent that change, parts and excesses, in each state of the session. For less than was requested it is a
 * share of it.
 */

const ethereum = knownChain('ethereum')
const usdc = (ethereum && tokenOf(ethereum, 'USDC')) as Token
const mid = { rate: '1610.25', at: new Date(), source: 'yellowcard' }
const percents = ['0', '1', '1.5', '0.25', '12.345678', '0.000001']
let database: TestDatabase
let db: ModelDb
beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
})
afterAll(() => database?.drop())

async function shop(feePercent: string, to: 'bank' | 'wallet'): Promise<string> {
  const id = newId()
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', $2)", [id, feePercent])
  await makeAutopayout(db, id, to === 'bank' ? 'bank' : {})
  return id
}

/** As the api prices it. */
async function priced(dice: Dice, businessId: string, to: 'bank' | 'wallet', feePercent: string) {
  const terms = { feePercent, fxMarginPercent: one(dice, ['0', '1.5']) }
  const asked = BigInt(2_000_000 + pick(dice, 50_000_000))
  const local = { currency: 'NGN', mid }
  const inNaira = () =>
    priceFromLocal(usdc, `${1000 + pick(dice, 100_000)}.${10 + pick(dice, 90)}`, 'NGN', mid, terms)
  const price =
    to === 'bank' && pick(dice, 2) === 0
      ? inNaira()
      : priceFromAmount(usdc, asked, to === 'bank' ? local : null, terms)
  const { amount, token: _token, ...more } = price
  const stored = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null))
  return {
    ...(await makeSession(db, businessId, amount, stored)),
    amount,
    fee: price.fee,
    feeCurrency: price.feeCurrency,
  }
}

/** In parts, in time: less than was requested, exactly that, or more. */
function parts(dice: Dice, amount: bigint): bigint[] {
  const first = BigInt(1 + pick(dice, Number(amount) - 1))
  const last = amount - first
  return one(dice, [[amount], [first, last], [first, last, 1n + amount], [amount * 19n], [first]])
}

async function complete(id: string): Promise<void> {
  for (const status of ['processing', 'completed'] as const)
    await db.tx(async (tx) => {
      const outflow = await lockOutflow(tx, id)
      if (outflow)
        await moveOutflow(settling, tx, outflow, { status, ...(outflow.bank && { partnerCost: 0n }) })
    })
}

/** What its entry credits to the platform's fees, in base units of the token. */
async function postedFee({ id }: Outflow): Promise<bigint> {
  const [row] = await db.query<{ fee: string }>(
    `select coalesce(sum(-p.amount), 0)::text as fee from ledger_entries e join ledger_postings p on p.entry_id = e.id
       join ledger_accounts a on a.id = p.account_id where e.reference = $1 and e.kind = 'payout.posted' and a.name = 'fees'`,
    [id],
  )
  return BigInt(row?.fee ?? 0)
}

const units = (amount: bigint) => fraction(`${amount}`)

/** @returns what is wrong with its payout's fee */
async function wrongIn(
  of: Awaited<ReturnType<typeof priced>>,
  to: 'bank' | 'wallet',
  payout: Outflow,
): Promise<string[]> {
  const share = by(units(payout.amount), units(of.amount))
  const due = ceilTo(times(fraction(of.fee), share), to === 'bank' ? 2 : usdc.decimals)
  const inToken = to === 'bank' ? floorTo(by(due, fraction(mid.rate)), usdc.decimals) : due
  const posted = by(units(await postedFee(payout)), units(10n ** BigInt(usdc.decimals)))
  const shown =
    to === 'bank'
      ? fraction(payout.bank?.price?.localFee ?? '-1')
      : by(units(payout.fee), units(10n ** BigInt(usdc.decimals)))
  return [
    ...(isSame(shown, due) ? [] : ['fee of the payout']),
    ...(isSame(posted, inToken) ? [] : ['fee in the books']),
  ]
}

test('the fee that a session shows is the fee of its payout, in every state', async () => {
  const wrong: unknown[] = []
  const counted = new Map<string, number>()
  const dice = seeded(Number(process.env.COWRY_SEED ?? 1))
  for (let i = 0; i < howMany(60, 2000); i++) {
    const to = one(dice, ['bank', 'wallet'] as const)
    const feePercent = one(dice, percents)
    const businessId = await shop(feePercent, to)
    const session = await priced(dice, businessId, to, feePercent)
    const report = (what: string, more: object = {}) =>
      wrong.push({ what, to, feePercent, amount: `${session.amount}`, fee: session.fee, ...more })
    const look = async () => {
      const { fee, feeCurrency, status } = await getSession(
        { db, chains, checkoutUrl },
        businessId,
        session.id,
      )
      counted.set(status, (counted.get(status) ?? 0) + 1)
      if (fee !== session.fee || feeCurrency !== session.feeCurrency) report(`fee while ${status}`, { fee })
    }
    const came = parts(dice, session.amount)
    for (const amount of came) {
      await look()
      if (pick(dice, 3) === 0)
        await db.query('update businesses set fee_percent = $2 where id = $1', [
          businessId,
          one(dice, percents),
        ])
      await makePayment(db, session, { amount })
      await settleMade(db, session.id)
    }
    await look()
    const [payout] = await readOutflows(db, 'session_id = $1', [session.id])
    if (!payout) continue
    if (payout.amount > session.amount) report('the payout takes more than was requested')
    await complete(payout.id)
    await settleMade(db, session.id)
    await look()
    for (const what of await wrongIn(session, to, payout)) report(what, { came: came.map(String) })
  }
  expect(wrong).toEqual([])
  expect(['pending', 'paid', 'paid_out'].filter((status) => (counted.get(status) ?? 0) < 10)).toEqual([])
}, 120_000)
