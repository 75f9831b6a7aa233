import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startYellowCard, type YellowCardStandIn } from '../../../test/partners/yellowcard.ts'
import {
  bankId,
  partnerFailure,
  partnerProblem,
  paymentRequest,
} from '../../../test/support/paymentRequests.ts'
import { accountAt, credentials } from '../../../test/support/yellowCardAccount.ts'
import type { PaymentPartner } from '../../partnerPayments/partner.ts'
import { Secret } from '../../platform/secrets.ts'
import type { YellowCardAccount } from './account.ts'
import { createPaymentPartner } from './paymentPartner.ts'

const minute = 60_000
let standIn: YellowCardStandIn
let partner: PaymentPartner

const partnerOf = (more: Partial<YellowCardAccount> = {}) =>
  createPaymentPartner({ ...accountAt(standIn), ...more })

beforeEach(async () => {
  standIn = await startYellowCard(credentials, 0, { still: true, balance: '1000' })
  partner = partnerOf()
})
afterEach(() => standIn.close())

describe.each(['send', 'payments'] as const)('with the names of `%s`', (names) => {
  beforeEach(() => {
    standIn.names = names
    partner = partnerOf({ names })
  })

  test('a payment is submitted in local currency, found by both ids, and followed to its end', async () => {
    const request = paymentRequest()
    const submitted = await partner.submit(request)
    expect(submitted).toMatchObject({
      sequenceId: request.sequenceId,
      status: 'created',
      currency: 'NGN',
      localAmount: '16000',
      amountUsd: '10',
      rate: '1600',
      feeUsd: '0.1',
      feeLocal: '160',
    })
    const seen = [submitted.status]
    for (const ms of [1, 1000, 2000, 5000]) {
      standIn.move(ms)
      const payment = await partner.payment(submitted.id)
      expect(await partner.findPayment(request.sequenceId)).toEqual(payment)
      seen.push(payment?.status ?? '')
    }
    expect(seen).toEqual(['created', 'process', 'processing', 'pending', 'complete'])
    expect((await partner.payment(submitted.id))?.sessionId).toMatch(/^\d{22}$/)
  })

  test('one without forceAccept waits to be accepted, and then goes on', async () => {
    const { id } = await partner.submit(paymentRequest({ forceAccept: false }))
    standIn.move(4 * minute)
    expect((await partner.payment(id))?.status).toBe('pending_approval')
    expect((await partner.accept(id)).status).toBe('process')
    standIn.move(10_000)
    expect((await partner.payment(id))?.status).toBe('complete')
    expect(await partnerProblem(partner.accept(id))).toEqual(['refused', 'PaymentInvalidState'])
  })

  test('one that is denied has failed', async () => {
    const { id } = await partner.submit(paymentRequest({ forceAccept: false }))
    expect((await partner.deny(id)).status).toBe('denied')
    expect(await partner.payment(id)).toMatchObject({ status: 'failed', errorCode: 'DENIED' })
    expect(await partnerProblem(partner.accept(id))).toEqual(['refused', 'PaymentInvalidState'])
  })

  test('a list has every payment once over its pages, oldest change first', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i++) {
      ids.push((await partner.submit(paymentRequest())).id)
      standIn.move(100)
    }
    const page = {
      by: 'updatedAt',
      from: new Date(0),
      to: new Date(standIn.clock.now()),
      perPage: 3,
    } as const
    const pages = [
      await partner.listPayments({ ...page, startAt: 0 }),
      await partner.listPayments({ ...page, startAt: 3 }),
    ]
    pages.push(await partner.listPayments({ ...page, startAt: 6 }))
    expect(pages.map((each) => each.length)).toEqual([3, 3, 1])
    expect(pages.flat().map(({ id }) => id)).toEqual(ids)
    const later = pages[1]?.[0]?.updatedAt as Date
    expect(
      (await partner.listPayments({ ...page, from: later, perPage: 100, startAt: 0 })).map(({ id }) => id),
    ).toEqual(ids.slice(3))
  })
})

test.each([
  ['send', '/business/send'],
  ['payments', '/business/payments'],
] as const)('the names of `%s` are requested at %s', async (names, path) => {
  await partnerOf({ names }).submit(paymentRequest())
  expect(standIn.asked).toEqual([path])
})

test('a payment that is not accepted within five minutes expires', async () => {
  const { id, expiresAt } = await partner.submit(paymentRequest({ forceAccept: false }))
  expect(expiresAt?.getTime()).toBe(standIn.clock.now() + 5 * minute)
  standIn.move(5 * minute + 1)
  expect((await partner.payment(id))?.status).toBe('expired')
  expect(await partnerProblem(partner.accept(id))).toEqual(['refused', 'PaymentExpired'])
})

test('the balance is reserved by payments under way, spent by completed ones, and given back by failed ones', async () => {
  const available = async () =>
    (await partner.balances()).map((balance) => [balance.currency, balance.available])
  expect(await available()).toEqual([['USD', '1000']])
  await partner.submit(paymentRequest())
  await partner.submit(
    paymentRequest({ destination: { ...paymentRequest().destination, accountNumber: '0000000000' } }),
  )
  standIn.move(1500)
  expect(await available()).toEqual([['USD', '979.8']])
  standIn.move(10_000)
  expect(await available()).toEqual([['USD', '989.9']])
})

test('a payment that the balance does not cover waits for liquidity: it goes on after a top-up, and fails after two hours', async () => {
  const [first, second] = [
    await partner.submit(paymentRequest({ localAmount: 1_600_000n })),
    await partner.submit(paymentRequest({ localAmount: 3_200_000n })),
  ]
  standIn.move(1500)
  const statuses = async () => [
    (await partner.payment(first.id))?.status,
    (await partner.payment(second.id))?.status,
  ]
  expect(await statuses()).toEqual(['pending_liquidity', 'pending_liquidity'])
  standIn.payments.topUp(100_00n)
  standIn.move(10_000)
  expect(await statuses()).toEqual(['complete', 'pending_liquidity'])
  standIn.move(120 * minute)
  expect(await statuses()).toEqual(['complete', 'failed'])
})

test('a balance keeps every digit', async () => {
  standIn.payments.topUp(1_234_567_890_123_456_789n)
  expect((await partner.balances())[0]?.available).toBe('12345678901235567.89')
})

test('a bank account is resolved to its holder, and refused if there is no such account', async () => {
  const resolved = await partner.resolveAccount({ accountNumber: '1111111111', networkId: bankId })
  expect(resolved).toEqual({
    accountNumber: '1111111111',
    accountName: 'Ken Adams',
    accountBank: 'Guaranty Trust Bank',
  })
  const error = await partnerFailure(
    partner.resolveAccount({ accountNumber: '0000000000', networkId: bankId }),
  )
  expect([error.problem, error.partnerCode]).toEqual(['refused', 'ResolveAccountError'])
  // Their message quotes it.
  expect(error.message).not.toContain('0000000000')
})

test('another amount than whole units of 32 bits is refused before it is sent', async () => {
  for (const localAmount of [0n, -1n, 2n ** 31n])
    expect(await partnerProblem(partner.submit(paymentRequest({ localAmount })))).toEqual([
      'refused',
      'AmountOutOfRange',
    ])
  expect(standIn.asked).toEqual([])
  expect((await partner.submit(paymentRequest({ localAmount: 2n ** 31n - 1n }))).localAmount).toBe(
    '2147483647',
  )
})

test('the details of a person and of a business are sent as documented', async () => {
  const person = {
    kind: 'person',
    name: 'Ada',
    country: 'NG',
    address: '1 Road',
    dob: '02/01/1997',
    idNumber: '12',
    idType: 'passport',
  } as const
  const { id } = await partner.submit(paymentRequest({ sender: person }))
  const [payment] = standIn.payments.all()
  const { kind, ...sender } = person
  expect(payment?.given).toMatchObject({
    customerType: 'retail',
    sender,
    localAmount: 16_000,
    forceAccept: true,
  })
  expect(Object.keys(payment?.given ?? {})).not.toContain('amount')
  expect(payment?.id).toBe(id)
  expect(
    await partnerProblem(partner.submit(paymentRequest({ sender: { ...person, idNumber: '' } }))),
  ).toEqual(['refused', 'PaymentValidationError'])
})

describe('signatures', () => {
  test('a wrong secret and another key are refused, and not repeated', async () => {
    for (const wrong of [{ secretKey: new Secret('other') }, { apiKey: 'other' }])
      for (const asked of [
        () => partnerOf(wrong).balances(),
        () => partnerOf(wrong).submit(paymentRequest()),
      ])
        expect(await partnerProblem(asked())).toEqual(['refused', 'AuthenticationError'])
    expect(standIn.asked).toEqual([])
  })

  test('cover the path that is chosen, of reads and of every POST', async () => {
    standIn.signedPath = 'short'
    expect(await partnerProblem(partner.balances())).toEqual(['refused', 'AuthenticationError'])
    const short = partnerOf({ signedPath: 'short' })
    const { id } = await short.submit(paymentRequest({ forceAccept: false }))
    expect((await short.accept(id)).status).toBe('process')
    const page = {
      by: 'createdAt',
      from: new Date(0),
      to: new Date(standIn.clock.now()),
      startAt: 0,
      perPage: 10,
    } as const
    expect(await short.listPayments(page)).toHaveLength(1)
  })
})
