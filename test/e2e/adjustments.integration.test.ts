import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { suspenseState } from '../../src/corrections/suspenseState.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { closeLedger } from '../../src/ledger/closeLedger.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { readOutflows } from '../../src/outflows/outflow.ts'
import { outflowMessage } from '../../src/outflows/outflowProof.ts'
import { newId } from '../../src/platform/ids.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { proofs } from '../support/intentKeys.ts'
import { moveMade } from '../support/madeRefunds.ts'
import { forkSuspense, makeSuspense, settlePayment } from '../support/madeSuspense.ts'
import { createStack, type Stack } from '../support/stack.ts'

// Adjustments of the books, and payments in suspense: two operators, by the dashboard's own API.

interface Adjustment {
  id: string
  state: string
  own: boolean
  debit: string
  credit: string
  amount: string
  symbol: string
  business: { id: string; name: string } | null
  proposedBy: string
  decidedBy: string | null
}

interface Refusal {
  error: string
  message: string
  fields?: { field: string }[]
}

interface Operator extends Person {
  headers: Headers
}

let stack: Stack
let one: Operator
let other: Operator
let member: Headers
let owner: Person
let businessId: string
const asset = tokenAsset('ethereum', 'USDC')

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  const operator = async (): Promise<Operator> => {
    const person = await addPerson(stack, { operator: true })
    return { ...person, headers: (await sessionOf(stack, person)).headers }
  }
  one = await operator()
  other = await operator()
  owner = await addPerson(stack)
  businessId = await addBusiness(stack, owner)
  member = (await sessionOf(stack, owner)).headers
})
afterAll(() => stack?.close())

type Wanted = Partial<
  Record<'businessId' | 'debit' | 'credit' | 'asset' | 'amount' | 'reason', string | undefined>
>
const credit = (more: Wanted = {}) => ({
  businessId,
  debit: 'capital',
  credit: 'available',
  asset,
  amount: '12.5',
  reason: 'Refund of a fee',
  ...more,
})
const propose = <T = Adjustment>(wanted: object, { headers }: { headers: Headers } = one) =>
  dashboard<T>(stack, 'POST', '/operator/adjustments', wanted, headers)
const decide = <T = Adjustment>(id: string, decision: string, { headers }: { headers: Headers } = other) =>
  dashboard<T>(stack, 'PUT', `/operator/adjustments/${id}/decision`, { decision }, headers)
const refused = async (asked: Promise<{ status: number; body: Refusal }>) => {
  const { status, body } = await asked
  return [status, body.error, ...(body.fields ?? []).map(({ field }) => field)]
}
const balance = (name: 'available' | 'receivable', of = businessId) =>
  balanceOf(stack.db, { name, businessId: of, asset })
const platform = (
  name: 'capital' | 'suspense' | 'treasury:ethereum' | 'deposits:stellar' | 'staking:stellar' | 'rewards',
  of = asset,
) => balanceOf(stack.db, { name, businessId: null, asset: of })
const entries = async () =>
  Number((await stack.db.query<{ n: string }>('select count(*)::text as n from ledger_entries'))[0]?.n)
const audited = (id: string) =>
  stack.db.query(
    'select action, business_id as "businessId", actor_id as "actorId" from audit_log where target = $1 order by id',
    [id],
  )

describe('an adjustment', () => {
  test('waits for another operator, who posts it by approving; both are in the audit log', async () => {
    const before = await entries()
    const { status, body: proposed } = await propose(credit())
    expect([status, proposed]).toMatchObject([
      201,
      {
        state: 'waiting',
        own: true,
        debit: 'capital',
        credit: 'available',
        amount: '12.5',
        symbol: 'USDC',
        proposedBy: one.email,
        decidedBy: null,
      },
    ])
    expect([await entries(), await balance('available')]).toEqual([before, 0n])
    const approved = await decide(proposed.id, 'approved')
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { id: proposed.id, state: 'approved', own: false, decidedBy: other.email },
    ])
    expect([await balance('available'), await platform('capital')]).toEqual([12_500_000n, -12_500_000n])
    expect(await audited(proposed.id)).toEqual([
      { action: 'adjustment.proposed', businessId: null, actorId: one.id },
      { action: 'adjustment.approved', businessId, actorId: other.id },
    ])
    // The business sees it in its books, with the reason.
    const books = await dashboard<{ entries: object[] }>(
      stack,
      'GET',
      `/businesses/${businessId}/ledger/entries?kind=adjustment`,
      undefined,
      member,
    )
    expect(books.body.entries).toMatchObject([
      {
        kind: 'adjustment',
        reference: proposed.id,
        description: 'Refund of a fee',
        postings: [{ account: 'available', amount: '12.5' }],
      },
    ])
  })

  test('is approved once, also by several requests at a time', async () => {
    const { body } = await propose(credit({ amount: '3' }))
    const [before, count] = [await balance('available'), await entries()]
    const third = await addPerson(stack, { operator: true })
    const headers = [
      other.headers,
      other.headers,
      (await sessionOf(stack, third)).headers,
      (await sessionOf(stack, other)).headers,
    ]
    const answers = await Promise.all(
      headers.map((each) => decide<Refusal & Adjustment>(body.id, 'approved', { headers: each })),
    )
    for (const { status, body: answer } of answers)
      expect(status === 200 || (status === 409 && answer.error === 'adjustment_decided')).toBe(true)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect([await balance('available'), await entries()]).toEqual([before + 3_000_000n, count + 1])
    expect(await refused(decide(body.id, 'refused'))).toEqual([409, 'adjustment_decided'])
  })

  test('is not approved by the operator who proposed it, in no session; the database refuses it too', async () => {
    const { body } = await propose(credit())
    const before = await entries()
    expect(await refused(decide(body.id, 'approved', one))).toEqual([403, 'own_request'])
    expect(await refused(decide(body.id, 'approved', await sessionOf(stack, one)))).toEqual([
      403,
      'own_request',
    ])
    const byHand =
      "update ledger_adjustments set decision = 'approved', decided_by = proposed_by, decided_at = now() where id = $1"
    await expect(stack.db.query(byHand, [body.id])).rejects.toThrow('ledger_adjustments_two_people')
    const list = await dashboard<{ adjustments: Adjustment[] }>(
      stack,
      'GET',
      '/operator/adjustments?state=waiting',
      undefined,
      one.headers,
    )
    expect(list.body.adjustments.map(({ id, own }) => [id, own])).toEqual([[body.id, true]])
    expect((await decide(body.id, 'refused', one)).body).toMatchObject({
      state: 'refused',
      decidedBy: one.email,
    })
    expect(await refused(decide(body.id, 'approved'))).toEqual([409, 'adjustment_decided'])
    expect(await entries()).toBe(before)
  })

  test('counts only while its author is an operator, and for 72 hours', async () => {
    const gone = await addPerson(stack, { operator: true })
    const before = await entries()
    const { body } = await propose(credit(), await sessionOf(stack, gone))
    await stack.db.query('update accounts set operator = false where id = $1', [gone.id])
    expect(await refused(decide(body.id, 'approved'))).toEqual([409, 'adjustment_void'])
    const { body: old } = await propose(credit())
    await stack.db.query('update ledger_adjustments set expires_at = now() where id = $1', [old.id])
    expect(await refused(decide(old.id, 'approved'))).toEqual([409, 'adjustment_expired'])
    const list = await dashboard<{ adjustments: Adjustment[] }>(
      stack,
      'GET',
      '/operator/adjustments?state=expired',
      undefined,
      one.headers,
    )
    expect(list.body.adjustments.map(({ id }) => id)).toEqual([old.id])
    expect(await entries()).toBe(before)
    await decide(body.id, 'refused')
  })

  test('never makes available negative: nothing is posted, and it still waits', async () => {
    const [had, before] = [await balance('available'), await entries()]
    const { body } = await propose(credit({ debit: 'available', credit: 'fees', amount: '1000' }))
    const answer = await decide<Refusal>(body.id, 'approved')
    expect([answer.status, answer.body.error]).toEqual([409, 'insufficient_funds'])
    expect(answer.body.message).toMatch(/^available would become negative by 984\.5 USDC/)
    expect([await balance('available'), await entries()]).toEqual([had, before])
    const { body: unfunded } = await propose(
      credit({ businessId: undefined, debit: 'rewards', credit: 'capital' }),
    )
    expect(await refused(decide(unfunded.id, 'approved'))).toEqual([409, 'insufficient_funds'])
    const waiting = await dashboard<{ adjustments: Adjustment[] }>(
      stack,
      'GET',
      '/operator/adjustments?state=waiting',
      undefined,
      one.headers,
    )
    expect(waiting.body.adjustments.map(({ id }) => id)).toEqual([unfunded.id, body.id])
    for (const { id } of [body, unfunded]) await decide(id, 'refused')
    expect(await audited(body.id)).toMatchObject([
      { action: 'adjustment.proposed' },
      { action: 'adjustment.refused', businessId: null },
    ])
  })

  test('of the platform alone names no business, and no business sees it', async () => {
    const { body } = await propose(
      credit({ businessId: undefined, debit: 'treasury:ethereum', credit: 'capital', amount: '40' }),
    )
    const capital = await platform('capital')
    expect((await decide(body.id, 'approved')).body.business).toBeNull()
    expect([await platform('treasury:ethereum'), await platform('capital')]).toEqual([
      40_000_000n,
      capital + 40_000_000n,
    ])
    const { status } = await propose(
      credit({ businessId: undefined, debit: 'staking:ethereum', credit: 'capital', amount: '40' }),
    )
    expect(status).toBe(201)
    const books = await dashboard<{ total: number }>(
      stack,
      'GET',
      `/businesses/${businessId}/ledger/entries?reference=${body.id}`,
      undefined,
      member,
    )
    expect(books.body.total).toBe(0)
  })

  test.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ amount: '1.0000001' }, 'amount'],
    [{ asset: 'ethereum:DAI' }, 'asset'],
    [{ asset: 'USDC' }, 'asset'],
    [{ businessId: undefined }, 'businessId'],
    [{ debit: 'capital', credit: 'fees' }, 'businessId'],
    [{ debit: 'available' }, 'credit'],
    [{ debit: 'suspense' }, 'debit'],
    [{ debit: 'payouts_held' }, 'debit'],
    [{ debit: 'deposits:tron' }, 'debit'],
    [{ debit: 'treasury:dogechain' }, 'debit'],
    [{ debit: 'staking:solana' }, 'debit'],
    [{ credit: 'savings' }, 'credit'],
    [{ reason: '   ' }, 'reason'],
    [{ reason: undefined }, 'reason'],
  ])('with %j is refused by the name of the field', async (wrong, field) => {
    expect((await refused(propose<Refusal>(credit(wrong)))).slice(0, 3)).toEqual([
      400,
      'Invalid request body',
      field,
    ])
  })

  test('is not found where it does not exist, nor is its business', async () => {
    for (const id of [newId(), "' or 1=1 --"]) {
      expect(await refused(propose<Refusal>(credit({ businessId: id })))).toEqual([404, 'Not found'])
      expect(await refused(decide<Refusal>(encodeURIComponent(id), 'approved'))).toEqual([404, 'Not found'])
    }
  })

  test('is for operators: an owner is refused, and one who was an operator', async () => {
    const { body } = await propose(credit())
    const before = await entries()
    const former = await addPerson(stack, { operator: true })
    const { headers } = await sessionOf(stack, former)
    await stack.db.query('update accounts set operator = false where id = $1', [former.id])
    const viewer = (await sessionOf(stack, await addMember(stack, businessId, 'viewer'))).headers
    for (const each of [member, headers, viewer]) {
      expect(await refused(propose<Refusal>(credit(), { headers: each }))).toEqual([403, 'insufficient_role'])
      expect(await refused(decide<Refusal>(body.id, 'approved', { headers: each }))).toEqual([
        403,
        'insufficient_role',
      ])
      for (const path of ['/operator/adjustments', '/operator/suspense'])
        expect((await dashboard(stack, 'GET', path, undefined, each)).status).toBe(403)
    }
    expect(await entries()).toBe(before)
    await decide(body.id, 'refused')
  })
})

describe('a payment in suspense', () => {
  const suspended = tokenAsset('stellar', 'USDC')
  interface Payment {
    id: string
    state: string
    amount: string
    business: { id: string } | null
    waitsForApproval: boolean
  }

  const pay = (amount: bigint) => makeSuspense(stack.db, amount)
  const settle = (id: string) => settlePayment(stack.db, id)
  const fork = (id: string, status: 'reverted' | 'confirmed') => forkSuspense(stack.db, id, status)
  const assign = <T = Adjustment>(id: string, to: string, by = one) =>
    dashboard<T>(
      stack,
      'POST',
      `/operator/suspense/${id}/assignment`,
      { businessId: to, reason: 'Its sender wrote to us' },
      by.headers,
    )
  const list = async (query = '') =>
    (
      await dashboard<{ payments: Payment[]; total: number }>(
        stack,
        'GET',
        `/operator/suspense${query}`,
        undefined,
        one.headers,
      )
    ).body.payments
  const books = async (of: string) => ({
    suspense: await platform('suspense', suspended),
    deposits: await platform('deposits:stellar', suspended),
    available: await balanceOf(stack.db, { name: 'available', businessId: of, asset: suspended }),
    receivable: await balanceOf(stack.db, { name: 'receivable', businessId: of, asset: suspended }),
  })
  const newBusiness = async () => addBusiness(stack, await addPerson(stack))

  test('is given to a business by two operators, once', async () => {
    const to = await newBusiness()
    const id = await pay(70_000_000n)
    const before = await books(to)
    const { status, body } = await assign(id, to)
    expect([status, body]).toMatchObject([
      201,
      {
        state: 'waiting',
        debit: 'suspense',
        credit: 'available',
        amount: '7',
        symbol: 'USDC',
        suspensePaymentId: id,
        business: { id: to },
      },
    ])
    expect((await list('?state=held')).find((each) => each.id === id)).toMatchObject({
      amount: '7',
      business: null,
      waitsForApproval: true,
    })
    expect(await refused(decide<Refusal>(body.id, 'approved', one))).toEqual([403, 'own_request'])
    expect(await books(to)).toEqual(before)
    const { body: second } = await assign(id, await newBusiness())
    expect((await decide(body.id, 'approved')).status).toBe(200)
    expect(await books(to)).toEqual({
      ...before,
      suspense: before.suspense - 70_000_000n,
      available: 70_000_000n,
    })
    expect((await list('?state=given')).find((each) => each.id === id)).toMatchObject({
      business: { id: to },
      waitsForApproval: true,
    })
    expect(await refused(decide<Refusal>(second.id, 'approved'))).toEqual([409, 'not_in_suspense'])
    expect(await refused(assign<Refusal>(id, to))).toEqual([409, 'not_in_suspense'])
    expect(await list('?state=held')).toEqual([])
    // A later job finds nothing to do.
    expect(await settle(id)).toBeNull()
  })

  test('that is given away and reverted by a fork is owed by the business; it comes back to it, not to suspense', async () => {
    const to = await newBusiness()
    const id = await pay(50_000_000n)
    const before = await books(to)
    const { body } = await assign(id, to)
    await decide(body.id, 'approved')
    // The business spends a part of it.
    const spent = await propose(
      credit({ businessId: to, debit: 'available', credit: 'fees', asset: suspended, amount: '2' }),
    )
    expect((await decide(spent.body.id, 'approved')).status).toBe(200)
    await fork(id, 'reverted')
    const reverted = {
      suspense: before.suspense - 50_000_000n,
      deposits: before.deposits - 50_000_000n,
      available: 0n,
      receivable: 20_000_000n,
    }
    expect(await books(to)).toEqual(reverted)
    expect((await list('?state=reverted')).map((each) => each.id)).toEqual([id])
    expect(await settle(id)).toBeNull()
    await fork(id, 'confirmed')
    expect(await books(to)).toEqual({
      ...reverted,
      deposits: before.deposits,
      available: 30_000_000n,
      receivable: 0n,
    })
    const [row] = await stack.db.query('select reason from ledger_adjustments where suspense_payment = $1', [
      id,
    ])
    const other = await dashboard<{ entries: { kind: string; description: string | null }[] }>(
      stack,
      'GET',
      `/businesses/${businessId}/ledger/entries?reference=${id}`,
      undefined,
      member,
    )
    expect([row, other.body.entries]).toEqual([{ reason: 'Its sender wrote to us' }, []])
  })

  test('that a fork took back, or changed, before the approval is not given', async () => {
    const to = await newBusiness()
    const [gone, changed] = [await pay(10_000_000n), await pay(10_000_000n)]
    const [first, second] = [(await assign(gone, to)).body, (await assign(changed, to)).body]
    await fork(gone, 'reverted')
    await stack.db.query(
      'update transfers set amount = 9 where id = (select transfer_id from detections where id = $1)',
      [changed],
    )
    await settle(changed)
    const before = await books(to)
    for (const { id } of [first, second])
      expect(await refused(decide<Refusal>(id, 'approved'))).toEqual([409, 'not_in_suspense'])
    expect(await refused(assign<Refusal>(gone, to))).toEqual([409, 'not_in_suspense'])
    expect(await books(to)).toEqual(before)
  })

  test('is not given at the moment in which a fork takes it back', async () => {
    const to = await newBusiness()
    const id = await pay(10_000_000n)
    const before = await books(to)
    const { body } = await assign(id, to)
    await stack.db.query("update detections set status = 'reverted' where id = $1", [id])
    const [decided] = await Promise.all([decide<Refusal>(body.id, 'approved'), settle(id)])
    await settle(id)
    expect([200, 409]).toContain(decided.status)
    expect(await books(to)).toEqual({
      suspense: before.suspense - 10_000_000n,
      deposits: before.deposits - 10_000_000n,
      available: 0n,
      receivable: 0n,
    })
  })

  describe("that is the operator's", () => {
    let staking: string
    beforeAll(async () => {
      const [row] = await stack.db.query<{ address: string }>(
        "select address from staking_addresses where family = 'stellar'",
      )
      staking = row?.address ?? ''
    })
    const fund = <T = Adjustment>(id: string, account: string, more: object = {}) =>
      dashboard<T>(
        stack,
        'POST',
        `/operator/suspense/${id}/assignment`,
        { account, reason: 'We have sent it', ...more },
        one.headers,
      )
    const own = async () => ({
      suspense: await platform('suspense', suspended),
      staking: await platform('staking:stellar', suspended),
      rewards: await platform('rewards', suspended),
      capital: await platform('capital', suspended),
    })

    test.each(['rewards', 'capital'] as const)(
      'is booked to %s by two operators, once, and cannot be given or sent back after that',
      async (account) => {
        const before = await own()
        const id = await makeSuspense(stack.db, 70_000_000n, staking)
        const waiting = await suspenseState(stack.db)
        expect((await list('?state=held')).find((each) => each.id === id)).toMatchObject({
          account: null,
          isOfStaking: true,
        })
        const { status, body } = await fund(id, account)
        const shown = {
          state: 'waiting',
          debit: 'suspense',
          credit: account,
          amount: '7',
          suspensePaymentId: id,
          business: null,
        }
        expect([status, body]).toMatchObject([201, shown])
        const second = (await assign(id, businessId)).body
        expect(await refused(decide<Refusal>(body.id, 'approved', one))).toEqual([403, 'own_request'])
        expect((await decide(body.id, 'approved')).status).toBe(200)
        const after = {
          ...before,
          staking: before.staking + 70_000_000n,
          [account]: before[account] + 70_000_000n,
        }
        expect([await own(), await settle(id)]).toEqual([after, null])
        const still = waiting.map((each) =>
          each.chain === 'stellar' ? { ...each, payments: each.payments - 1 } : each,
        )
        expect(await suspenseState(stack.db)).toEqual(still.filter(({ payments }) => payments > 0))
        expect((await list('?state=given')).find((each) => each.id === id)).toMatchObject({
          account,
          business: null,
        })
        expect(await refused(decide<Refusal>(second.id, 'approved'))).toEqual([409, 'not_in_suspense'])
        for (const again of [fund<Refusal>(id, account), assign<Refusal>(id, businessId)])
          expect(await refused(again)).toEqual([409, 'not_in_suspense'])
        await fork(id, 'reverted')
        expect(await own()).toEqual(before)
        await fork(id, 'confirmed')
        expect(await own()).toEqual(after)
      },
    )

    test('and is taken back by a fork after rewards were paid from it is taken from capital as far as they are short', async () => {
      const id = await makeSuspense(stack.db, 70_000_000n, staking)
      await decide((await fund(id, 'rewards')).body.id, 'approved')
      const before = await own()
      const spent = await propose(
        credit({
          debit: 'rewards',
          asset: suspended,
          amount: String(Number(before.rewards - 20_000_000n) / 1e7),
        }),
      )
      expect((await decide(spent.body.id, 'approved')).status).toBe(200)
      await fork(id, 'reverted')
      const gone = {
        ...before,
        staking: before.staking - 70_000_000n,
        rewards: 0n,
        capital: before.capital - 50_000_000n,
      }
      expect([await own(), await settle(id)]).toEqual([gone, null])
      await fork(id, 'confirmed')
      expect(await own()).toEqual({ ...before, rewards: 20_000_000n })
    })

    test('is refused at another address, with a business as well, or with neither', async () => {
      const [other, id] = [await pay(10_000_000n), await makeSuspense(stack.db, 10_000_000n, staking)]
      expect(await refused(fund<Refusal>(other, 'rewards'))).toEqual([422, 'not_at_staking_address'])
      expect(await refused(fund<Refusal>(id, 'rewards', { businessId }))).toEqual([
        400,
        'Invalid request body',
        'account',
      ])
      const neither = dashboard<Refusal>(
        stack,
        'POST',
        `/operator/suspense/${id}/assignment`,
        { reason: 'x' },
        one.headers,
      )
      expect(await refused(neither)).toEqual([400, 'Invalid request body', 'account'])
      expect(await refused(fund<Refusal>(id, 'fees'))).toEqual([400, 'Invalid request body', 'account'])
    })
  })

  describe('that goes back', () => {
    const address = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
    const goBack = <T = Adjustment>(id: string, more: object = {}) =>
      dashboard<T>(
        stack,
        'POST',
        `/operator/suspense/${id}/return`,
        { toAddress: address, reason: 'It was sent by mistake', ...more },
        one.headers,
      )
    const outflowOf = async (id: string) =>
      (await readOutflows(stack.db, "kind = 'suspense' and payment_id = $1 order by id desc", [id]))[0]
    const stateOf = async (id: string) => (await list()).find((each) => each.id === id)?.state
    const held = async () => [
      await platform('suspense', suspended),
      await platform('deposits:stellar', suspended),
    ]
    /** A payment on its way back. */
    async function returning(amount: bigint): Promise<{ id: string; outflow: string }> {
      const id = await pay(amount)
      await decide((await goBack(id)).body.id, 'approved')
      return { id, outflow: (await outflowOf(id))?.id ?? '' }
    }

    test('is proposed by one operator and sent by another; meanwhile it is neither given nor sent again', async () => {
      const id = await pay(70_000_000n)
      const before = await held()
      const { status, body } = await goBack(id, { memo: '7', memoType: 'id' })
      const shown = {
        state: 'waiting',
        business: null,
        debit: 'suspense',
        credit: 'deposits:stellar',
        amount: '7',
      }
      expect([status, body]).toMatchObject([
        201,
        { ...shown, toAddress: address, memo: '7', memoType: 'id', suspensePaymentId: id },
      ])
      expect([await outflowOf(id), await stateOf(id)]).toEqual([undefined, 'held'])
      expect(await refused(decide<Refusal>(body.id, 'approved', one))).toEqual([403, 'own_request'])
      const [given, twice] = [(await assign(id, businessId)).body, (await goBack(id)).body]
      expect((await decide(body.id, 'approved')).status).toBe(200)
      const outflow = await outflowOf(id)
      const wallet = {
        chain: 'stellar',
        token: 'USDC',
        address,
        memo: { type: 'id', value: '7' },
        amount: 70_000_000n,
      }
      expect(outflow).toMatchObject({
        kind: 'suspense',
        businessId: null,
        status: 'pending',
        amount: 70_000_000n,
        wallet,
      })
      const [row] = await stack.db.query<{ proof: Buffer }>('select proof from outflows where id = $1', [
        outflow?.id,
      ])
      expect(outflow && row && proofs.api.verifies(outflowMessage(outflow), row.proof)).toBe(true)
      // Suspense owes it until it has arrived.
      expect([await held(), await stateOf(id)]).toEqual([before, 'returning'])
      for (const waiting of [given, twice])
        expect(await refused(decide<Refusal>(waiting.id, 'approved'))).toEqual([409, 'not_in_suspense'])
      expect(await refused(assign<Refusal>(id, businessId))).toEqual([409, 'not_in_suspense'])
      expect(await refused(goBack<Refusal>(id))).toEqual([409, 'not_in_suspense'])
    })

    test('is booked when it has arrived, once; a fork that takes the deposit away then leaves suspense owed, and one that returns it undoes that', async () => {
      const { id, outflow } = await returning(50_000_000n)
      const [suspense = 0n, deposits = 0n] = await held()
      await moveMade(stack.db, outflow, 'processing', 'completed')
      const gone = [suspense - 50_000_000n, deposits - 50_000_000n]
      expect([await held(), await stateOf(id), await settle(id)]).toEqual([gone, 'returned', null])
      expect(await held()).toEqual(gone)
      await fork(id, 'reverted')
      expect([await held(), await settle(id)]).toEqual([
        [suspense - 100_000_000n, deposits - 100_000_000n],
        null,
      ])
      await fork(id, 'confirmed')
      expect([await held(), await settle(id)]).toEqual([gone, null])
      expect(await refused(assign<Refusal>(id, businessId))).toEqual([409, 'not_in_suspense'])
    })

    test('and whose transaction fails, or is taken back, is in suspense again, and can be sent again or given', async () => {
      const { id, outflow } = await returning(30_000_000n)
      const before = await held()
      await moveMade(stack.db, outflow, 'processing', 'failed')
      expect([await held(), await stateOf(id)]).toEqual([before, 'held'])
      await decide((await goBack(id)).body.id, 'approved')
      const second = (await outflowOf(id))?.id ?? ''
      await moveMade(stack.db, second, 'processing', 'completed', 'failed')
      expect([await held(), await stateOf(id), await settle(id)]).toEqual([before, 'held', null])
      const owner = await addPerson(stack)
      const to = await addBusiness(stack, owner)
      await decide((await assign(id, to)).body.id, 'approved')
      expect([await stateOf(id), (await books(to)).available]).toEqual(['given', 30_000_000n])
      const listed = await dashboard<{ entries: object[] }>(
        stack,
        'GET',
        `/businesses/${to}/ledger/entries?reference=${id}`,
        undefined,
        (await sessionOf(stack, owner)).headers,
      )
      expect(listed.body.entries).toMatchObject([
        { kind: 'suspense.given', description: 'Its sender wrote to us' },
      ])
      await fork(id, 'reverted')
      expect((await books(to)).available).toBe(0n)
    })

    test('is sent once, also approved several times at once from two proposals', async () => {
      const id = await pay(10_000_000n)
      const proposals = [
        (await goBack(id)).body.id,
        (await goBack(id)).body.id,
        (await assign(id, businessId)).body.id,
      ]
      const answers = await Promise.all(proposals.map((each) => decide<Refusal>(each, 'approved')))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const rows = await readOutflows(stack.db, 'payment_id = $1', [id])
      expect(rows.length + Number((await stateOf(id)) === 'given')).toBe(1)
    })

    test('names a wrong address, and stores nothing', async () => {
      const id = await pay(1_000_000n)
      const before = await stack.db.query('select count(*) from ledger_adjustments')
      const [taken] = await stack.db.query<{ address: string }>(
        "select address from deposit_addresses where family = 'stellar' limit 1",
      )
      const tries: [object, (string | number)[]][] = [
        [{ toAddress: 'x' }, [400, 'invalid_address', 'toAddress']],
        [{ toAddress: `0x${'ab'.repeat(20)}` }, [400, 'wrong_chain_address', 'toAddress']],
        [{ toAddress: taken?.address ?? '' }, [422, 'own_address', 'toAddress']],
        [{ memo: 'x', memoType: 'id' }, [400, 'Invalid request body', 'memo']],
        [{ reason: '' }, [400, 'Invalid request body', 'reason']],
      ]
      for (const [more, expected] of tries) expect(await refused(goBack<Refusal>(id, more))).toEqual(expected)
      expect(await refused(goBack<Refusal>(newId()))).toEqual([404, 'Not found'])
      expect(await stack.db.query('select count(*) from ledger_adjustments')).toEqual(before)
    })
  })

  test.each([
    ['an unknown payment', newId(), () => businessId],
    ['an unknown business', undefined, () => newId()],
    ['no id', 'x', () => businessId],
  ])('of %s is not found', async (_name, payment, to) => {
    expect(await refused(assign<Refusal>(payment ?? (await pay(1n)), to()))).toEqual([404, 'Not found'])
  })
})

test('operators see the closes of the books, with what did not agree', async () => {
  const closes = async (query = '') =>
    (
      await dashboard<{ closes: object[]; total: number }>(
        stack,
        'GET',
        `/operator/closes${query}`,
        undefined,
        one.headers,
      )
    ).body
  expect(await closes()).toMatchObject({ closes: [], total: 0 })
  await closeLedger({ db: stack.db }, 'now')
  const [check] = await stack.db.query<{ id: string }>(
    "insert into chain_checks (chain, ended_at, addresses, drifts, height) values ('base', '2026-01-02T03:04:05.678Z', 9, 1, 1234) returning id",
  )
  await stack.db.query(
    "insert into chain_drifts (check_id, number, symbol, expected, found) values ($1, 1, 'ETH', 8, 5)",
    [check?.id],
  )
  await stack.db.query('alter table ledger_balances disable trigger user')
  await stack.db.query(
    "update ledger_balances set balance = balance + 1 where slot = 0 and account_id = (select id from ledger_accounts where name = 'available' limit 1)",
  )
  await stack.db.query('alter table ledger_balances enable trigger user')
  await closeLedger({ db: stack.db }, 'now')
  const { closes: shown, total } = await closes()
  expect([shown, total]).toMatchObject([
    [
      {
        entries: 0,
        drifts: 2,
        chains: expect.arrayContaining([
          { chain: 'base', checkedAt: '2026-01-02T03:04:05.678Z', height: 1234, drifts: 1, isOverdue: false },
        ]),
        differences: [
          {
            kind: 'balance',
            subject: expect.any(String),
            expected: expect.any(String),
            found: expect.any(String),
          },
          { kind: 'chain', subject: 'base:ETH without an address', expected: '8', found: '5' },
        ],
      },
      {
        entries: await entries(),
        drifts: 0,
        differences: [],
        lastHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    2,
  ])
  expect((await closes('?limit=1&page=2')).closes).toEqual(shown.slice(1))
  expect((await dashboard(stack, 'GET', '/operator/closes', undefined, member)).status).toBe(403)
})
