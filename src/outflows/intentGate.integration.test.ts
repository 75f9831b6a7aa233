import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { deciding, startScreeningStandIn } from '../../test/partners/screening.ts'
import { type BankPayouts, openBankPayouts } from '../../test/support/bankPayouts.ts'
import { limitKeyOf } from '../../test/support/limitedKey.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { forkSource, makeSource } from '../../test/support/madeSource.ts'
import { storedOutflow } from '../../test/support/paying.ts'
import { intentPurposes } from '../capabilities.ts'
import type { ChainAccounts } from '../chains/chainAccounts.ts'
import { type ConfiguredChain, knownChain } from '../chains/registry.ts'
import { readSettings } from '../platform/config.ts'
import { readIntents } from '../txmgr/intents.ts'
import type { OutflowsContext } from './context.ts'
import type { OutflowKind } from './outflow.ts'
import { screenOutflow } from './screening/screenOutflow.ts'
import { startScreening } from './screening/startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'
import { unsentStop } from './unsentStop.ts'

/*
 * The gate of all that leaves, read again when a signature is requested and when the first send is counted:
 * what changes after the claim is seen.
 */

const million = 1_000_000n
const address = `0x${'34'.repeat(20)}`
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const screened = { SCREENING_URL: 'http://127.0.0.1:9', SCREENING_SECRET: secret }

let bank: BankPayouts
let ctx: OutflowsContext
let chain: ConfiguredChain
let businessId: string
let detection: string
let environment: Record<string, string>

beforeAll(async () => {
  bank = await openBankPayouts()
  const known = knownChain('ethereum')
  if (!known) throw new Error('no chain')
  chain = known as ConfiguredChain
  await bank.db.query(
    "insert into treasury_addresses (family, address) values ('evm', $1) on conflict do nothing",
    [`0x${'12'.repeat(20)}`],
  )
  const balances = {
    spendable: async () => [10n ** 24n],
    balances: async () => ({ tokens: [{ balance: 10n ** 24n }] }),
  }
  ctx = {
    ...bank.ctx,
    purposes: intentPurposes,
    accountsOf: async () => ({ balances }) as unknown as ChainAccounts,
  }
})
afterAll(() => bank?.close())
beforeEach(async () => {
  businessId = await bank.business(100n * million)
  environment = {}
})

const sql = (text: string, ...values: unknown[]) => bank.db.query(text, values)

/** An outflow whose intent is stored, with nothing sent. */
async function claimed(kind: OutflowKind, amount = million): Promise<string> {
  const of = { db: bank.db, businessId, chain }
  const owner = kind === 'suspense' || kind === 'top_up' ? null : businessId
  const taken = { kind, businessId: owner, token: 'USDC', amount, address }
  const bankOf =
    kind === 'top_up' ? { partner: 'yellowcard', networkId: 'account', currency: 'USD', price: null } : null
  const destinationId = kind === 'payout' ? await makeDestination(bank.db, businessId, { address }) : null
  const source =
    kind === 'refund' || kind === 'suspense'
      ? await makeSource(bank.db, { ...taken, chain: 'ethereum' })
      : null
  detection = source?.detection ?? ''
  const ids = { sessionId: source?.sessionId ?? null, paymentId: source?.paymentId ?? null }
  const { id } = await storedOutflow(of, { ...taken, ...ids, bank: bankOf, destinationId })
  await stepOutflow(ctx, id)
  expect(await bank.read(id)).toMatchObject({ status: 'processing' })
  return id
}

/** As the transaction manager reads it: when it requests a signature, or before the first send. */
async function stopOf(id: string, status: 'created' | 'signed' = 'created') {
  const { intentId } = await bank.read(id)
  const [stored] = await readIntents(bank.db, 'id = $1', [intentId])
  if (!stored) throw new Error('no intent')
  const intent = { ...stored, status }
  const settings: Parameters<typeof unsentStop>[0]['settings'] = (of) =>
    readSettings('worker', of, environment)
  return bank.db.tx((tx) => unsentStop({ purposes: intentPurposes, settings }, tx, intent))
}

const setLimits = (limits: Record<string, string>) =>
  sql(
    `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2) on conflict (business_id) do update set limits = excluded.limits`,
    businessId,
    JSON.stringify(
      Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, { value, next: null }])),
    ),
  )

interface Reason {
  reason: string
  ends: boolean
  kinds: readonly OutflowKind[]
  change: (id: string) => Promise<unknown>
  undo?: () => Promise<unknown>
}

const ofBusiness = ['payout', 'refund'] as const
const turnOn = async () => void Object.assign(environment, screened)
/** Screening got a request for it, and has answered so. */
async function answered(id: string, decision: string | null): Promise<void> {
  await turnOn()
  const stops: (() => void)[] = []
  const settings: Parameters<typeof startScreening>[0]['settings'] = (of) =>
    readSettings('worker', of, screened)
  const screening = startScreening({ settings, onStop: (stop) => void stops.push(stop as () => void) })
  await screenOutflow({ ...ctx, screening }, await bank.read(id))
  for (const stop of stops) stop()
  await sql('update outflow_screenings set decision = $2 where outflow_id = $1', id, decision)
}

const reasons: Reason[] = [
  {
    reason: 'destination_archived',
    ends: true,
    kinds: ['payout'],
    change: async (id) =>
      sql(
        'update payout_destinations set archived_at = now() where id = $1',
        (await bank.read(id)).destinationId,
      ),
  },
  {
    reason: 'cooling_off',
    ends: false,
    kinds: ['payout'],
    change: async (id) =>
      sql(
        "update payout_destinations set usable_from = now() + interval '1 hour' where id = $1",
        (await bank.read(id)).destinationId,
      ),
  },
  {
    reason: 'payment_reversed',
    ends: true,
    kinds: ['refund', 'suspense'],
    change: () => forkSource(bank.db, detection),
  },
  {
    reason: 'partner_paused',
    ends: false,
    kinds: ['top_up'],
    change: () =>
      sql(
        "insert into partner_pauses (partner, reason, paused_by) values ('yellowcard', 'a test', 'a test')",
      ),
    undo: () => sql('delete from partner_pauses'),
  },
  { reason: 'screening', ends: false, kinds: [...ofBusiness, 'suspense'], change: turnOn },
  {
    reason: 'screening_denied',
    ends: true,
    kinds: [...ofBusiness, 'suspense'],
    change: (id) => answered(id, 'deny'),
  },
  {
    reason: 'payout_limit',
    ends: false,
    kinds: ofBusiness,
    change: () => setLimits({ maxPerPayout: '0.5' }),
  },
  { reason: 'daily_limit', ends: false, kinds: ofBusiness, change: () => setLimits({ maxPerDay: '0.5' }) },
  {
    reason: 'key_limit',
    ends: false,
    kinds: ofBusiness,
    change: (id) => limitKeyOf(bank.db, businessId, { perDay: '0.5' }, [id]),
  },
]
const cases = reasons.flatMap((each) => each.kinds.map((kind) => ({ ...each, kind })))

test.each(cases)('$reason stops the intent of a $kind', async ({ reason, ends, kind, change, undo }) => {
  const id = await claimed(kind)
  expect(await stopOf(id)).toBeNull()
  await change(id)
  try {
    expect(await stopOf(id, 'signed')).toEqual(ends ? { reason, ends } : null)
    if (kind === 'payout')
      expect(await sql('select 1 from outflows where id = $1 and counted_at is not null', id)).toHaveLength(1)
    expect(await stopOf(id)).toEqual({ reason, ends })
  } finally {
    await undo?.()
  }
})

test('what ends a signed payout is seen behind what only waits', async () => {
  const id = await claimed('payout')
  const { destinationId } = await bank.read(id)
  await sql(
    "update payout_destinations set usable_from = now() + interval '1 hour' where id = $1",
    destinationId,
  )
  await answered(id, 'deny')
  expect(await stopOf(id, 'signed')).toEqual({ reason: 'screening_denied', ends: true })
})

test.each(['payout', 'refund', 'suspense'] as const)(
  'what screening has allowed lets a %s go on',
  async (kind) => {
    const id = await claimed(kind)
    await answered(id, 'allow')
    expect(await stopOf(id)).toBeNull()
  },
)

test.each(['payout', 'refund'] as const)('a %s does not count against its limit twice', async (kind) => {
  const id = await claimed(kind)
  await setLimits({ maxPerPayout: '1', maxPerDay: '1' })
  expect(await stopOf(id)).toBeNull()
})

test('an outflow that screening holds is screened again after 10 seconds, then after twice as long', async () => {
  const standIn = await startScreeningStandIn()
  standIn.answer = deciding('hold')
  const stops: (() => void)[] = []
  const on: Record<string, string> = { SCREENING_URL: standIn.url, SCREENING_SECRET: standIn.secret }
  const settings: Parameters<typeof startScreening>[0]['settings'] = (of) => readSettings('worker', of, on)
  const screening = startScreening({ settings, onStop: (stop) => void stops.push(stop as () => void) })
  try {
    const id = await claimed('payout')
    const askedAfter = async (seconds: number) => {
      await sql(
        "update outflow_screenings set asked_at = now() - $2 * interval '1 second' where outflow_id = $1",
        id,
        seconds,
      )
      await sql('update outflows set next_at = now() where id = $1', id)
      await stepOutflow({ ...ctx, screening }, id)
      return standIn.asked.length
    }
    const counts: number[] = []
    for (const seconds of [0, 9, 10, 19, 20]) counts.push(await askedAfter(seconds))
    expect(counts).toEqual([1, 1, 2, 2, 3])
  } finally {
    for (const stop of stops) stop()
    await standIn.close()
  }
})

test('screening that was switched on after the claim is requested for what is not sent, and for nothing more', async () => {
  const standIn = await startScreeningStandIn()
  const stops: (() => void)[] = []
  const on: Record<string, string> = { SCREENING_URL: standIn.url, SCREENING_SECRET: standIn.secret }
  const settings: Parameters<typeof startScreening>[0]['settings'] = (of) => readSettings('worker', of, on)
  const screening = startScreening({ settings, onStop: (stop) => void stops.push(stop as () => void) })
  const follow = async (id: string) => {
    await sql('update outflows set next_at = now() where id = $1', id)
    await stepOutflow({ ...ctx, screening }, id)
  }
  try {
    const id = await claimed('payout')
    Object.assign(environment, on)
    expect(await stopOf(id)).toEqual({ reason: 'screening', ends: false })
    await follow(id)
    await follow(id)
    expect([await stopOf(id), standIn.asked.length]).toEqual([null, 1])
    const sent = await claimed('payout')
    await sql(
      `insert into intent_attempts (intent_id, number, chain, terms, sends, proof) select id, 1, chain, '{}', 1, '' from intents where id = $1`,
      (await bank.read(sent)).intentId,
    )
    await follow(sent)
    expect(standIn.asked).toHaveLength(1)
    // What can never be in a block is signed again.
    await sql(
      'update intent_attempts set void_at = now() where intent_id = $1',
      (await bank.read(sent)).intentId,
    )
    await follow(sent)
    expect(standIn.asked).toHaveLength(2)
  } finally {
    for (const stop of stops) stop()
    await standIn.close()
  }
})
