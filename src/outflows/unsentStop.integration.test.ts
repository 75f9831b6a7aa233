import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { addMember, addPerson } from '../../test/support/dashboardSession.ts'
import { addressOf, keyOf } from '../../test/support/evmIntents.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { forkSource, makeSource } from '../../test/support/madeSource.ts'
import { owe, startPaying, type WantedOutflow } from '../../test/support/paying.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { approvalMessage } from '../approvals/proof.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { newId } from '../platform/ids.ts'
import { readIntents } from '../txmgr/intents.ts'
import { pauseSending, resumeSending } from '../txmgr/pause.ts'
import { reconcileIntent } from '../txmgr/reconcile.ts'
import type { Outflow } from './outflow.ts'

/**
 * The gate of outflows, read again until something of their transaction is sent: on a node, with the rights
 * of worker and treasury.
 */

let sweeping: Sweeping
let paying: ReturnType<typeof startPaying>
let wallets = 7000
const million = 1_000_000n

beforeAll(async () => {
  sweeping = await startSweeping('ethereum')
  paying = startPaying({
    ...sweeping,
    accounts: { balances: evmBalanceReader(sweeping.node.ctx), sender: sweeping.node.sender },
    finish: () => sweeping.node.mine(3),
    work: () => sweeping.work(),
  })
  await paying.putIn('ETH', await sweeping.native(sweeping.treasuryAddress))
  await sweeping.pay(sweeping.treasuryAddress, sweeping.devnet.usdc, 100n * million)
  await paying.putIn('USDC', 100n * million)
  await paying.owe('USDC', 100n * million)
})
afterAll(() => sweeping?.close())

const sql = (text: string, ...values: unknown[]) => sweeping.db.query(text, values)
const got = ({ wallet }: Outflow) => sweeping.tokens(sweeping.devnet.usdc, wallet?.address ?? '')
const pay = (more: Partial<WantedOutflow> = {}) =>
  paying.payout({ token: 'USDC', amount: million, address: addressOf(keyOf(wallets++)), ...more })

async function givesBack(businessId: string | null): Promise<{ outflow: Outflow; detection: string }> {
  const source = await makeSource(sweeping.db, {
    businessId,
    chain: 'ethereum',
    token: 'USDC',
    amount: million,
  })
  const { sessionId, paymentId, detection } = source
  return {
    outflow: await pay({
      kind: businessId === null ? 'suspense' : 'refund',
      businessId,
      sessionId,
      paymentId,
    }),
    detection,
  }
}

/** A payout that an owner has approved, and how that owner leaves. */
async function approved(): Promise<{ outflow: Outflow; leave: () => Promise<unknown> }> {
  const outflow = await pay({ needsApproval: true })
  const [asker, owner] = [await addPerson(sweeping), await addPerson(sweeping)]
  for (const person of [asker, owner]) await addMember(sweeping, sweeping.businessId, 'owner', person)
  const of = {
    id: newId(),
    businessId: sweeping.businessId,
    subject: 'payout',
    subjectId: outflow.id,
  } as const
  const approval = {
    ...of,
    askedByAccount: asker.id,
    askedByKey: null,
    decidedBy: owner.id,
    decidedAt: new Date(),
  }
  await sql(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, expires_at, decision, decided_by, decided_at, proof)
     values ($1, $2, 'payout', $3, $4, now() + interval '1 hour', 'approved', $5, $6, $7)`,
    ...[
      of.id,
      of.businessId,
      outflow.id,
      asker.id,
      owner.id,
      approval.decidedAt,
      provers.api.prove(approvalMessage(approval)),
    ],
  )
  return { outflow, leave: () => sql('delete from members where account_id = $1', owner.id) }
}

interface Changed {
  outflow: Outflow
  change: () => Promise<unknown>
}

const changes: [string, string, () => Promise<Changed>][] = [
  [
    'a payout whose destination is archived',
    'destination_archived',
    async () => {
      const outflow = await pay()
      return {
        outflow,
        change: () =>
          sql('update payout_destinations set archived_at = now() where id = $1', outflow.destinationId),
      }
    },
  ],
  [
    'a payout whose approver is no owner any more',
    'approval_void',
    async () => {
      const { outflow, leave } = await approved()
      return { outflow, change: leave }
    },
  ],
  [
    'a refund whose payment a fork takes away',
    'payment_reversed',
    async () => {
      const { outflow, detection } = await givesBack(sweeping.businessId)
      return { outflow, change: () => forkSource(sweeping.db, detection) }
    },
  ],
  [
    'a return of suspense whose payment a fork takes away',
    'payment_reversed',
    async () => {
      const { outflow, detection } = await givesBack(null)
      return { outflow, change: () => forkSource(sweeping.db, detection) }
    },
  ],
]

describe.each(changes)('%s', (_what, reason, make) => {
  const stages: [string, () => (() => Promise<unknown>)[]][] = [
    ['before its intent is planned', () => [() => paying.step()]],
    ['before its transaction is sent', () => [() => paying.step(), sweeping.reconcile, sweeping.sign]],
  ]
  test.each(stages)(
    'does not leave where that happens %s: it fails with the reason',
    async (_stage, steps) => {
      const { outflow, change } = await make()
      const before = await paying.balance('payouts_held', 'USDC')
      for (const step of steps()) await step()
      const { intentId } = await paying.read(outflow.id)
      expect(intentId).not.toBeNull()
      await change()
      const [failed] = await paying.run([outflow.id], 3)
      expect(failed).toMatchObject({
        status: expect.stringMatching(/^(failed|cancelled)$/),
        reason,
        nextAt: null,
      })
      expect(await readIntents(sweeping.db, 'id = $1', [intentId])).toMatchObject([
        { status: 'failed', reason: 'stopped', message: reason, settled: true },
      ])
      expect(await sql('select 1 from intent_attempts where intent_id = $1 and sends > 0', intentId)).toEqual(
        [],
      )
      expect(await got(outflow)).toBe(0n)
      expect(await paying.balance('payouts_held', 'USDC')).toBe(
        outflow.businessId === null ? before : before - million,
      )
    },
  )

  test('does not leave where that happens before the treasury signs', async () => {
    const { outflow, change } = await make()
    for (const step of [() => paying.step(), sweeping.reconcile]) await step()
    await change()
    await sweeping.sign()
    const [failed] = await paying.run([outflow.id], 3)
    expect([failed?.status, await got(outflow)]).toEqual(['failed', 0n])
    expect(await sql('select 1 from treasury_signatures where intent_id = $1', failed?.intentId)).toEqual([])
  })

  test('goes on where that happens after it was sent', async () => {
    const { outflow, change } = await make()
    for (const step of [() => paying.step(), sweeping.reconcile, sweeping.sign, sweeping.reconcile])
      await step()
    await change()
    expect([(await paying.run([outflow.id]))[0]?.status, await got(outflow)]).toEqual(['completed', million])
  })
})

test('a destination that cools off again keeps no signed transaction from being sent', async () => {
  const outflow = await pay()
  for (const step of [() => paying.step(), sweeping.reconcile, sweeping.sign]) await step()
  await sql(
    "update payout_destinations set usable_from = now() + interval '1 hour' where id = $1",
    outflow.destinationId,
  )
  expect([(await paying.run([outflow.id]))[0]?.status, await got(outflow)]).toEqual(['completed', million])
})

describe('a limit that is lower than what is under way', () => {
  const setLimit = (value: string | null) =>
    sql(
      `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)
       on conflict (business_id) do update set limits = excluded.limits`,
      sweeping.businessId,
      JSON.stringify({ maxPerPayout: { value, next: null } }),
    )
  afterEach(() => setLimit(null))

  test('takes a payout back before its signature is requested', async () => {
    const outflow = await pay()
    await paying.step()
    await setLimit('0.5')
    const [waiting] = await paying.run([outflow.id], 3)
    expect([waiting?.status, waiting?.reason, await got(outflow)]).toEqual(['pending', 'payout_limit', 0n])
    await setLimit('1')
    expect([(await paying.run([outflow.id]))[0]?.status, await got(outflow)]).toEqual(['completed', million])
  })

  test('keeps no signed transaction, which counts, nor the payout of another business that is signed behind it', async () => {
    const outflow = await pay()
    for (const step of [() => paying.step(), sweeping.reconcile, sweeping.sign]) await step()
    await pauseSending(sweeping.db, 'ethereum', 'a test')
    await setLimit('0.5')
    await resumeSending(sweeping.db, 'ethereum')
    const other = newId()
    await sql("insert into businesses (id, name) values ($1, 'Another shop')", other)
    await owe({ ...sweeping, businessId: other }, 'USDC', million)
    const address = addressOf(keyOf(wallets++))
    const behind = await pay({
      businessId: other,
      address,
      destinationId: await makeDestination(sweeping.db, other, { chain: 'ethereum', address }),
    })
    const both = await paying.run([outflow.id, behind.id], 6)
    expect(both.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect([await got(outflow), await got(behind)]).toEqual([million, million])
    expect(
      await sql('select 1 from outflows where id = $1 and counted_at is not null', outflow.id),
    ).toHaveLength(1)
  })
})

test('a chain that is paused while a send is prepared gets nothing', async () => {
  const outflow = await pay()
  for (const step of [() => paying.step(), sweeping.reconcile, sweeping.sign]) await step()
  const { intentId } = await paying.read(outflow.id)
  const { db } = sweeping.manager
  // After the check for a pause, and before the send is counted.
  const query: typeof db.query = async (text, values) => {
    const rows = await db.query(text, values)
    if (`${text}`.includes('sending_pauses')) await pauseSending(sweeping.db, 'ethereum', 'a test')
    return rows as never
  }
  await sql('update intents set next_reconcile_at = now() where id = $1', intentId)
  await reconcileIntent({ ...sweeping.manager, db: { ...db, query } }, intentId ?? '')
  expect(await sql('select 1 from sending_pauses')).toHaveLength(1)
  expect(await sql('select 1 from intent_attempts where intent_id = $1 and sends > 0', intentId)).toEqual([])
  await resumeSending(sweeping.db, 'ethereum')
  expect((await paying.run([outflow.id]))[0]?.status).toBe('completed')
})
