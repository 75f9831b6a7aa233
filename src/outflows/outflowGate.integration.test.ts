import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type ScreeningStandIn, startScreeningStandIn } from '../../test/partners/screening.ts'
import { type BankPayouts, openBankPayouts, usdc } from '../../test/support/bankPayouts.ts'
import { addMember, addPerson } from '../../test/support/dashboardSession.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { limitKeyOf } from '../../test/support/limitedKey.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { forkSource, makeSource } from '../../test/support/madeSource.ts'
import { insertRefundRow } from '../../test/support/refundRow.ts'
import { intentPurposes } from '../capabilities.ts'
import type { ChainAccounts } from '../chains/chainAccounts.ts'
import { knownChain } from '../chains/registry.ts'
import { balanceOf } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import { readSettings } from '../platform/config.ts'
import { newId } from '../platform/ids.ts'
import { declareRestored } from '../txmgr/restored.ts'
import type { OutflowsContext } from './context.ts'
import type { Outflow, OutflowKind } from './outflow.ts'
import { startScreening } from './screening/startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'
import { storeOutflow } from './storeOutflow.ts'
import { waitReason } from './waitReason.ts'

/*
 * The gate of all that leaves: any change while an outflow is prepared is seen by its last claim. The
 * partner and the treasury get nothing.
 */

const million = 1_000_000n
const address = `0x${'34'.repeat(20)}`

let bank: BankPayouts
let ctx: OutflowsContext
/** Happens after the gate was read, while the partner or a node is queried, and before the claim. */
let meanwhile: () => Promise<unknown>
let businessId: string
let owners: string[]

beforeAll(async () => {
  bank = await openBankPayouts()
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no chain')
  await bank.db.query(
    "insert into treasury_addresses (family, address) values ('evm', $1) on conflict do nothing",
    [`0x${'12'.repeat(20)}`],
  )
  const balances = {
    spendable: async () => [10n ** 24n],
    balances: async () => ({ tokens: [{ balance: 10n ** 24n }] }),
  }
  const { partner } = bank.ctx
  if (!partner) throw new Error('no partner')
  ctx = {
    ...bank.ctx,
    purposes: intentPurposes,
    accountsOf: async () => {
      await meanwhile()
      return { balances } as unknown as ChainAccounts
    },
    partner: {
      ...partner,
      async funds() {
        await meanwhile()
        return partner.funds()
      },
    },
  }
})
afterAll(() => bank?.close())

const sql = (text: string, ...values: unknown[]) => bank.db.query(text, values)

beforeEach(async () => {
  meanwhile = async () => {}
  businessId = await bank.business(100n * million)
  const people = [await addPerson({ db: bank.db }), await addPerson({ db: bank.db })]
  for (const person of people) await addMember({ db: bank.db }, businessId, 'owner', person)
  owners = people.map(({ id }) => id)
})

/** What fits one kind alone is in its own row. */
type Kind = OutflowKind | 'bank'

async function make(kind: Kind): Promise<Outflow> {
  if (kind === 'bank') return bank.make(businessId)
  const ofPlatform = kind === 'suspense' || kind === 'top_up'
  const taken = { chain: 'ethereum', token: 'USDC', amount: million }
  const owner = ofPlatform ? null : businessId
  const { sessionId, paymentId } =
    kind === 'refund' || kind === 'suspense' ? await source(owner) : { sessionId: null, paymentId: null }
  const destinationId = kind === 'payout' ? await makeDestination(bank.db, businessId) : null
  const made = await bank.db.tx(async (tx) => {
    const { outflow, entries } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, {
      ...{ kind, businessId: owner, sessionId, paymentId, status: 'pending', ...taken, destinationId },
      wallet: { ...taken, address, memo: null },
      bank:
        kind === 'top_up'
          ? { partner: 'yellowcard', networkId: 'account', currency: 'USD', price: null }
          : null,
    })
    await insertRefundRow(tx, outflow)
    await post(tx, entries)
    return outflow
  })
  return bank.read(made.id)
}

let detection = ''
async function source(owner: string | null) {
  const made = await makeSource(bank.db, {
    businessId: owner,
    chain: 'ethereum',
    token: 'USDC',
    amount: million,
  })
  ;({ detection } = made)
  return made
}

const setLimits = (limits: Record<string, string>) =>
  sql(
    `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2) on conflict (business_id) do update set limits = excluded.limits`,
    businessId,
    JSON.stringify(
      Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, { value, next: null }])),
    ),
  )
/** An owner has approved it, who has lost the right since. */
const approvedByNoOwner = ({ id }: Outflow) =>
  sql(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, expires_at, decision, decided_by, decided_at, proof)
     values ($1, $2, 'payout', $3, $4, now() + interval '1 hour', 'approved', $5, now(), '')`,
    newId(),
    businessId,
    id,
    owners[0],
    owners[1],
  )

interface Reason {
  reason: string
  /** The state in which it ends; left out: it waits. */
  ends?: 'failed' | 'cancelled'
  kinds: readonly Kind[]
  before?: (outflow: Outflow) => Promise<unknown>
  change: (outflow: Outflow) => Promise<unknown>
  undo?: () => Promise<unknown>
}

const ofBusiness = ['bank', 'payout', 'refund'] as const
const all = [...ofBusiness, 'suspense', 'top_up'] as const
const reasons: Reason[] = [
  {
    reason: 'outgoing_restored',
    kinds: all,
    change: () => declareRestored(bank.db),
    undo: () => sql('insert into database_identity (identity) values (present_identity())'),
  },
  {
    reason: 'held',
    kinds: ofBusiness,
    change: () => sql("update businesses set approval = 'suspended' where id = $1", businessId),
  },
  {
    reason: 'approval_void',
    ends: 'failed',
    kinds: ofBusiness,
    before: approvedByNoOwner,
    change: () =>
      sql('delete from members where business_id = $1 and account_id = $2', businessId, owners[1]),
  },
  {
    reason: 'destination_archived',
    ends: 'failed',
    kinds: ['bank', 'payout'],
    change: ({ destinationId }) =>
      sql('update payout_destinations set archived_at = now() where id = $1', destinationId),
  },
  {
    reason: 'cooling_off',
    kinds: ['bank', 'payout'],
    change: ({ destinationId }) =>
      sql(
        "update payout_destinations set usable_from = now() + interval '1 hour' where id = $1",
        destinationId,
      ),
  },
  {
    reason: 'payment_reversed',
    ends: 'cancelled',
    kinds: ['refund', 'suspense'],
    change: () => forkSource(bank.db, detection),
  },
  {
    reason: 'outgoing_paused',
    kinds: ['payout', 'refund', 'suspense', 'top_up'],
    change: () => sql("insert into sending_pauses (chain, reason) values ('ethereum', 'a test')"),
    undo: () => sql('delete from sending_pauses'),
  },
  {
    reason: 'partner_paused',
    kinds: ['bank', 'top_up'],
    change: () =>
      sql(
        "insert into partner_pauses (partner, reason, paused_by) values ('yellowcard', 'a test', 'a test')",
      ),
    undo: () => sql('delete from partner_pauses'),
  },
  { reason: 'payout_limit', kinds: ofBusiness, change: () => setLimits({ maxPerPayout: '0.5' }) },
  { reason: 'daily_limit', kinds: ofBusiness, change: () => setLimits({ maxPerDay: '0.5' }) },
  {
    reason: 'key_limit',
    kinds: ofBusiness,
    change: ({ id }) => limitKeyOf(bank.db, businessId, { perTransfer: '0.5' }, [id]),
  },
]

const cases = reasons.flatMap((each) => each.kinds.map((kind) => ({ ...each, kind })))

test.each(cases)(
  '$reason stops a $kind that was prepared before',
  async ({ reason, ends, kind, before, change, undo }) => {
    const outflow = await make(kind)
    await before?.(outflow)
    expect(await waitReason(ctx, outflow)).toBeNull()
    let times = 0
    meanwhile = async () => (times++ === 0 ? change(outflow) : null)
    try {
      await stepOutflow(ctx, outflow.id)
      const after = await bank.read(outflow.id)
      expect([times, after.status, after.reason]).toEqual([expect.any(Number), ends ?? 'pending', reason])
      expect(times).toBeGreaterThan(0)
      expect(await sql('select 1 from intents')).toEqual([])
      expect(bank.standIn.payments.all().filter(({ sequenceId }) => sequenceId === outflow.id)).toEqual([])
      // What waits is seen by the first step, too.
      if (!ends) expect(await waitReason(ctx, after)).toMatchObject({ reason, ends: false })
      if (ends && outflow.businessId !== null)
        expect(await balanceOf(bank.db, { name: 'payouts_held', businessId, asset: usdc })).toBe(0n)
    } finally {
      await undo?.()
    }
  },
)

test.each(all)('a %s that nothing keeps leaves', async (kind) => {
  const outflow = await make(kind)
  await stepOutflow(ctx, outflow.id)
  expect(await bank.read(outflow.id)).toMatchObject({ status: 'processing' })
  await sql('update outflows set intent_id = null where id = $1', outflow.id)
  await sql('delete from intents')
})

describe('screening that has allowed an outflow, and then', () => {
  let standIn: ScreeningStandIn
  const stops: (() => void)[] = []
  let screening: OutflowsContext['screening']
  beforeAll(async () => {
    standIn = await startScreeningStandIn()
    const on: Record<string, string> = { SCREENING_URL: standIn.url, SCREENING_SECRET: standIn.secret }
    screening = startScreening({
      settings: (of) => readSettings('worker', of, on),
      onStop: (stop) => void stops.push(stop as () => void),
    })
  })
  afterAll(async () => {
    for (const stop of stops) stop()
    await standIn?.close()
  })

  const answers = [
    ['denies it', 'deny', { status: 'failed', reason: 'screening_denied' }],
    ['holds it', null, { status: 'pending', reason: 'screening' }],
  ] as const
  const kinds = [...ofBusiness, 'suspense'] as const
  test.each(answers.flatMap((each) => kinds.map((kind) => [...each, kind] as const)))(
    '%s (%s, %j) stops a %s at its claim',
    async (...row) => {
      const [, decision, after, kind] = row
      const outflow = await make(kind)
      expect(await waitReason({ ...ctx, screening }, outflow)).toBeNull()
      meanwhile = () =>
        sql('update outflow_screenings set decision = $2 where outflow_id = $1', outflow.id, decision)
      await stepOutflow({ ...ctx, screening }, outflow.id)
      expect(await bank.read(outflow.id)).toMatchObject(after)
      expect(await sql('select 1 from intents')).toEqual([])
    },
  )
})

describe('a limit that is lower than when payouts were requested', () => {
  test('lets as many leave as fit, one after the other, and the others do not count', async () => {
    const made = [await make('payout'), await make('payout'), await make('payout')]
    await setLimits({ maxPerDay: '2' })
    const stops = await Promise.all(made.map((outflow) => waitReason(ctx, outflow)))
    expect(stops.map((stop) => stop?.reason ?? null).toSorted()).toEqual(
      ['daily_limit', null, null].toSorted(),
    )
    const [row] = await sql(
      'select count(*)::int as counted from outflows where business_id = $1 and counted_at is not null',
      businessId,
    )
    expect(row).toEqual({ counted: 2 })
  })

  test('of their key does the same', async () => {
    const made = [await make('payout'), await make('payout'), await make('payout')]
    const ids = made.map(({ id }) => id)
    await limitKeyOf(bank.db, businessId, { perDay: '2' }, ids)
    const stops = await Promise.all(ids.map(async (id) => waitReason(ctx, await bank.read(id))))
    expect(stops.map((stop) => stop?.reason ?? null).toSorted()).toEqual(['key_limit', null, null].toSorted())
    const [row] = await sql(
      'select count(*)::int as counted from outflows where business_id = $1 and counted_at is not null',
      businessId,
    )
    expect(row).toEqual({ counted: 2 })
  })
})

describe('two refunds of one payment, when there is enough for one', () => {
  test('one leaves, in either order', async () => {
    const first = await make('refund')
    const second = await bank.db.tx(async (tx) => {
      const taken = { chain: 'ethereum', token: 'USDC', amount: million }
      const refund = {
        kind: 'refund',
        businessId,
        sessionId: first.sessionId,
        status: 'pending',
        ...taken,
        bank: null,
      } as const
      const { outflow, entries } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, {
        ...refund,
        wallet: { ...taken, address, memo: null },
      })
      await insertRefundRow(tx, outflow)
      await post(tx, entries)
      return outflow
    })
    await Promise.all([first.id, second.id].map((id) => stepOutflow(ctx, id)))
    const after = await Promise.all([first.id, second.id].map(bank.read))
    expect(after.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'processing'])
    expect(await sql('select 1 from intents')).toHaveLength(1)
    await sql('update outflows set intent_id = null')
    await sql('delete from intents')
  })
})
