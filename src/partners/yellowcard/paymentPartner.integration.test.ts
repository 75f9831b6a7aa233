import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startYellowCard, type YellowCardStandIn } from '../../../test/partners/yellowcard.ts'
import type { PaymentPartner, PaymentRequest } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { newId } from '../../platform/ids.ts'
import { Secret } from '../../platform/secrets.ts'
import type { YellowCardAccount } from './account.ts'
import { createPaymentPartner } from './paymentPartner.ts'

const credentials = { apiKey: 'key-of-ours', secretKey: 'secret-of-ours' }
const minute = 60_000
let standIn: YellowCardStandIn
let partner: PaymentPartner

const partnerOf = (more: Partial<YellowCardAccount> = {}) =>
  createPaymentPartner({ url: standIn.url, apiKey: credentials.apiKey, secretKey: new Secret(credentials.secretKey), ...more })
/** Of a partner that never answers. */
const impatient = { timeoutMs: 700 }

beforeEach(async () => {
  standIn = await startYellowCard(credentials, 0, { still: true, balance: '1000' })
  partner = partnerOf()
})
afterEach(() => standIn.close())

const gtb = '5f1af11b-305f-4420-8fce-65ed2725a409'
const requestOf = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  sequenceId: newId(),
  localAmount: 16_000n,
  channel: { type: 'bank', country: 'NG', currency: 'NGN' },
  destination: { accountNumber: '1111111111', networkId: gtb, accountType: 'bank', accountName: 'Ken Adams' },
  sender: { kind: 'business', businessId: 'RC-1234', businessName: 'Shop' },
  customerId: newId(),
  reason: 'other',
  forceAccept: true,
  ...more,
})

async function failure(asked: Promise<unknown>): Promise<PartnerError> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PartnerError)) throw new Error(`expected a PartnerError: ${inspect(error)}`)
  return error
}
const problemOf = async (asked: Promise<unknown>) => {
  const { problem, code } = await failure(asked)
  return [problem, code]
}

describe.each(['send', 'payments'] as const)('with the names of `%s`', (names) => {
  beforeEach(() => {
    standIn.names = names
    partner = partnerOf({ names })
  })

  test('a payment is submitted in local currency, found by both ids, and followed to its end', async () => {
    const request = requestOf()
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
    const { id } = await partner.submit(requestOf({ forceAccept: false }))
    standIn.move(4 * minute)
    expect((await partner.payment(id))?.status).toBe('pending_approval')
    expect((await partner.accept(id)).status).toBe('process')
    standIn.move(10_000)
    expect((await partner.payment(id))?.status).toBe('complete')
    expect(await problemOf(partner.accept(id))).toEqual(['refused', 'PaymentInvalidState'])
  })

  test('one that is denied has failed', async () => {
    const { id } = await partner.submit(requestOf({ forceAccept: false }))
    expect((await partner.deny(id)).status).toBe('denied')
    expect(await partner.payment(id)).toMatchObject({ status: 'failed', errorCode: 'DENIED' })
    expect(await problemOf(partner.accept(id))).toEqual(['refused', 'PaymentInvalidState'])
  })

  test('a list has every payment once over its pages, oldest change first', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i++) {
      ids.push((await partner.submit(requestOf())).id)
      standIn.move(100)
    }
    const page = { by: 'updatedAt', from: new Date(0), to: new Date(standIn.clock.now()), perPage: 3 } as const
    const pages = [await partner.listPayments({ ...page, startAt: 0 }), await partner.listPayments({ ...page, startAt: 3 })]
    pages.push(await partner.listPayments({ ...page, startAt: 6 }))
    expect(pages.map((each) => each.length)).toEqual([3, 3, 1])
    expect(pages.flat().map(({ id }) => id)).toEqual(ids)
    const later = pages[1]?.[0]?.updatedAt as Date
    expect((await partner.listPayments({ ...page, from: later, perPage: 100, startAt: 0 })).map(({ id }) => id)).toEqual(ids.slice(3))
  })
})

test.each([
  ['send', '/business/send'],
  ['payments', '/business/payments'],
] as const)('the names of `%s` are asked for at %s', async (names, path) => {
  await partnerOf({ names }).submit(requestOf())
  expect(standIn.asked).toEqual([path])
})

test('a payment that is not accepted within five minutes expires', async () => {
  const { id, expiresAt } = await partner.submit(requestOf({ forceAccept: false }))
  expect(expiresAt?.getTime()).toBe(standIn.clock.now() + 5 * minute)
  standIn.move(5 * minute + 1)
  expect((await partner.payment(id))?.status).toBe('expired')
  expect(await problemOf(partner.accept(id))).toEqual(['refused', 'PaymentExpired'])
})

test('the balance is reserved by payments under way, spent by completed ones, and given back by failed ones', async () => {
  const available = async () => (await partner.balances()).map((balance) => [balance.currency, balance.available])
  expect(await available()).toEqual([['USD', '1000']])
  await partner.submit(requestOf())
  await partner.submit(requestOf({ destination: { ...requestOf().destination, accountNumber: '0000000000' } }))
  standIn.move(1500)
  expect(await available()).toEqual([['USD', '979.8']])
  standIn.move(10_000)
  expect(await available()).toEqual([['USD', '989.9']])
})

test('a payment that the balance does not cover waits for liquidity: it goes on after a top-up, and fails after two hours', async () => {
  const [first, second] = [await partner.submit(requestOf({ localAmount: 1_600_000n })), await partner.submit(requestOf({ localAmount: 3_200_000n }))]
  standIn.move(1500)
  const statuses = async () => [(await partner.payment(first.id))?.status, (await partner.payment(second.id))?.status]
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
  const resolved = await partner.resolveAccount({ accountNumber: '1111111111', networkId: gtb })
  expect(resolved).toEqual({ accountNumber: '1111111111', accountName: 'Ken Adams', accountBank: 'Guaranty Trust Bank' })
  const error = await failure(partner.resolveAccount({ accountNumber: '0000000000', networkId: gtb }))
  expect([error.problem, error.code]).toEqual(['refused', 'ResolveAccountError'])
  // Their message quotes it.
  expect(error.message).not.toContain('0000000000')
})

test('another amount than whole units of 32 bits is refused before it is sent', async () => {
  for (const localAmount of [0n, -1n, 2n ** 31n])
    expect(await problemOf(partner.submit(requestOf({ localAmount })))).toEqual(['refused', 'AmountOutOfRange'])
  expect(standIn.asked).toEqual([])
  expect((await partner.submit(requestOf({ localAmount: 2n ** 31n - 1n }))).localAmount).toBe('2147483647')
})

test('the details of a person and of a business are sent as documented', async () => {
  const person = { kind: 'person', name: 'Ada', country: 'NG', address: '1 Road', dob: '02/01/1997', idNumber: '12', idType: 'passport' } as const
  const { id } = await partner.submit(requestOf({ sender: person }))
  const [payment] = standIn.payments.all()
  const { kind, ...sender } = person
  expect(payment?.given).toMatchObject({ customerType: 'retail', sender, localAmount: 16_000, forceAccept: true })
  expect(Object.keys(payment?.given ?? {})).not.toContain('amount')
  expect(payment?.id).toBe(id)
  expect(await problemOf(partner.submit(requestOf({ sender: { ...person, idNumber: '' } })))).toEqual(['refused', 'PaymentValidationError'])
})

describe('a POST is sent once, and its outcome is unknown', () => {
  test.each([
    ['answer', 'whose answer is lost after the work', 1],
    ['outcome', 'that is done and answered with 500', 1],
    ['patience', 'that is done and answered with 408', 1],
    ['request', 'that is lost before the work', 0],
  ] as const)('%s: one %s', async (lose, _what, made) => {
    const request = requestOf()
    standIn.lose = lose
    expect(await problemOf(partner.submit(request))).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(1)
    expect(standIn.payments.all()).toHaveLength(made)
    // Settled by the sequence id: it is there with its amount, or surely not there.
    const found = await partner.findPayment(request.sequenceId)
    expect(found?.localAmount ?? null).toBe(made === 1 ? '16000' : null)
  })

  test.each(['down', 'slow', 'cut', 'garbage', 'astray'] as const)('a partner that is %s', async (mode) => {
    const { id } = await partner.submit(requestOf({ forceAccept: false }))
    standIn.asked.length = 0
    standIn.mode = mode
    const asking = mode === 'slow' ? partnerOf(impatient) : partner
    for (const asked of [() => asking.submit(requestOf()), () => asking.accept(id), () => asking.deny(id)])
      expect(await problemOf(asked())).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(3)
    expect(standIn.payments.all()).toHaveLength(1)
  })

  test('a partner whose port is closed', async () => {
    await standIn.close()
    expect(await problemOf(partner.submit(requestOf()))).toEqual(['outcome_unknown', null])
  })

  test.each([
    ['sequenceId', '01a1f93f-821b-7439-bb21-110bf7cf8615'],
    ['sequenceId', null],
    ['convertedAmount', 15_999],
    ['convertedAmount', null],
    ['currency', 'KES'],
    ['status', 5],
    ['updatedAt', 'soon'],
  ])('an answer with another %s: %s', async (field, value) => {
    standIn.lie = (payment) => ({ ...payment, [field]: value })
    const error = await failure(partner.submit(requestOf()))
    expect([error.problem, error.message]).toEqual(['outcome_unknown', expect.stringContaining(field)])
    expect(standIn.asked).toHaveLength(1)
  })

  test('a decision that is answered with another payment', async () => {
    const { id } = await partner.submit(requestOf({ forceAccept: false }))
    standIn.lie = (payment) => ({ ...payment, id: newId() })
    expect(await problemOf(partner.accept(id))).toEqual(['outcome_unknown', null])
  })

  test('a look-up of a bank account changes nothing: it is not repeated, and unavailable', async () => {
    standIn.mode = 'down'
    expect(await problemOf(partner.resolveAccount({ accountNumber: '1111111111', networkId: gtb }))).toEqual(['unavailable', null])
    expect(standIn.asked).toHaveLength(1)
  })
})

test('the same sequence id is refused a second time, and the first payment stays', async () => {
  const request = requestOf()
  const { id } = await partner.submit(request)
  expect(await problemOf(partner.submit(request))).toEqual(['refused', 'PaymentValidationError'])
  expect(standIn.payments.all().map((payment) => payment.id)).toEqual([id])
})

test('a throttled submission has an error of its own, with the wait, and made nothing', async () => {
  Object.assign(standIn, { throttled: 1, retryAfter: 7 })
  const error = await failure(partner.submit(requestOf()))
  expect([error.problem, error.retryAfterSeconds]).toEqual(['throttled', 7])
  expect(standIn.asked).toHaveLength(1)
  expect(standIn.payments.all()).toEqual([])
})

describe('a read', () => {
  test('is repeated while it is throttled or the partner is down, up to three times', async () => {
    const { id } = await partner.submit(requestOf())
    standIn.throttled = 2
    expect((await partner.payment(id))?.id).toBe(id)
    standIn.throttled = 3
    expect(await problemOf(partner.payment(id))).toEqual(['throttled', null])
    // A longer pause is the caller's.
    Object.assign(standIn, { throttled: 1, retryAfter: 2 })
    standIn.asked.length = 0
    expect((await failure(partner.payment(id))).retryAfterSeconds).toBe(2)
    expect(standIn.asked).toHaveLength(1)
    for (const mode of ['down', 'cut', 'slow'] as const) {
      standIn.mode = mode
      standIn.asked.length = 0
      expect(await problemOf(partnerOf(mode === 'slow' ? impatient : {}).payment(id))).toEqual(['unavailable', null])
      expect(standIn.asked).toHaveLength(3)
    }
  })

  test('answers null only where the partner says that there is no such payment', async () => {
    expect(await partner.payment(newId())).toBeNull()
    expect(await partner.findPayment(newId())).toBeNull()
    // A page of a proxy, or a path that is not served: it would be paid a second time.
    standIn.mode = 'astray'
    expect((await problemOf(partner.findPayment(newId())))[0]).toBe('unavailable')
    standIn.mode = 'ok'
    standIn.names = 'payments'
    expect(await problemOf(partner.payment(newId()))).toEqual(['refused', 'NotFound'])
  })

  test.each(['id', 'sequenceId'])('that is answered with another %s is not believed', async (field) => {
    const request = requestOf()
    const { id } = await partner.submit(request)
    standIn.lie = (payment) => ({ ...payment, [field]: newId() })
    const asked = field === 'id' ? partner.payment(id) : partner.findPayment(request.sequenceId)
    expect(await problemOf(asked)).toEqual(['invalid_answer', null])
  })

  test('whose answer has no end is broken off', async () => {
    standIn.mode = 'flood'
    const error = await failure(partner.balances())
    expect([error.problem, error.message]).toEqual(['unavailable', expect.stringContaining('too large')])
  })

  test('of a bank account that is answered with another account is not believed', async () => {
    standIn.lie = (resolved) => ({ ...resolved, accountNumber: '2222222222' })
    expect(await problemOf(partner.resolveAccount({ accountNumber: '1111111111', networkId: gtb }))).toEqual(['invalid_answer', null])
  })

  test('that is answered in another form is not believed, and names the field', async () => {
    const { id } = await partner.submit(requestOf())
    standIn.lie = (payment) => ({ ...payment, convertedAmount: '1,000', status: '' })
    const error = await failure(partner.payment(id))
    expect([error.problem, error.message]).toEqual(['invalid_answer', expect.stringMatching(/status, convertedAmount$/)])
    const page = { by: 'updatedAt', from: new Date(0), to: new Date(), startAt: 0, perPage: 10 } as const
    expect((await failure(partner.listPayments(page))).message).toContain('payments.0.status')
    standIn.mode = 'garbage'
    expect(await problemOf(partner.balances())).toEqual(['invalid_answer', null])
  })

  test('shows another amount and a new status as the partner writes them', async () => {
    const { id } = await partner.submit(requestOf())
    standIn.lie = (payment) => ({ ...payment, convertedAmount: 15_999.5, status: 'on_hold' })
    expect(await partner.payment(id)).toMatchObject({ localAmount: '15999.5', status: 'on_hold' })
  })
})

describe('signatures', () => {
  test('a wrong secret and another key are refused, and not repeated', async () => {
    for (const wrong of [{ secretKey: new Secret('other') }, { apiKey: 'other' }])
      for (const asked of [() => partnerOf(wrong).balances(), () => partnerOf(wrong).submit(requestOf())])
        expect(await problemOf(asked())).toEqual(['refused', 'AuthenticationError'])
    expect(standIn.asked).toEqual([])
  })

  test('cover the path that is chosen, of reads and of every POST', async () => {
    standIn.signedPath = 'short'
    expect(await problemOf(partner.balances())).toEqual(['refused', 'AuthenticationError'])
    const short = partnerOf({ signedPath: 'short' })
    const { id } = await short.submit(requestOf({ forceAccept: false }))
    expect((await short.accept(id)).status).toBe('process')
    const page = { by: 'createdAt', from: new Date(0), to: new Date(standIn.clock.now()), startAt: 0, perPage: 10 } as const
    expect(await short.listPayments(page)).toHaveLength(1)
  })
})

test('no error holds the secret, the signature, a name or an account number', async () => {
  const request = requestOf({ destination: { ...requestOf().destination, accountNumber: '0987654321', accountName: 'Canary Name' } })
  const errors: unknown[] = []
  const collect = async (asked: Promise<unknown>) => errors.push(await asked.catch((thrown: unknown) => thrown))
  for (const mode of ['down', 'slow', 'cut', 'garbage', 'astray'] as const) {
    standIn.mode = mode
    const asking = mode === 'slow' ? partnerOf(impatient) : partner
    await collect(asking.submit(request))
    await collect(asking.resolveAccount(request.destination))
  }
  standIn.mode = 'ok'
  await collect(partner.submit({ ...request, destination: { ...request.destination, networkId: newId() } }))
  await collect(partner.resolveAccount({ accountNumber: '0987654321', networkId: newId() }))
  standIn.lie = (payment) => ({ ...payment, status: 7 })
  await collect(partner.submit(request))
  expect(errors).toHaveLength(13)
  for (const error of errors) {
    expect(error).toBeInstanceOf(PartnerError)
    const text = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`
    for (const secret of [credentials.secretKey, 'YcHmacV1', '0987654321', 'Canary Name', 'RC-1234']) expect(text).not.toContain(secret)
  }
})
