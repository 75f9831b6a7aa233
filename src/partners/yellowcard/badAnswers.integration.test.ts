import { inspect } from 'node:util'
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
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { newId } from '../../platform/ids.ts'
import type { YellowCardAccount } from './account.ts'
import { createPaymentPartner } from './paymentPartner.ts'

let standIn: YellowCardStandIn
let partner: PaymentPartner

const partnerOf = (more: Partial<YellowCardAccount> = {}) =>
  createPaymentPartner({ ...accountAt(standIn), ...more })
/** Of a partner that never answers. */
const impatient = { timeoutMs: 700 }

beforeEach(async () => {
  standIn = await startYellowCard(credentials, 0, { still: true, balance: '1000' })
  partner = partnerOf()
})
afterEach(() => standIn.close())

describe('a POST is sent once, and its outcome is unknown', () => {
  test.each([
    ['answer', 'whose answer is lost after the work', 1],
    ['outcome', 'that is done and answered with 500', 1],
    ['patience', 'that is done and answered with 408', 1],
    ['request', 'that is lost before the work', 0],
  ] as const)('%s: one %s', async (lose, _what, made) => {
    const request = paymentRequest()
    standIn.lose = lose
    expect(await partnerProblem(partner.submit(request))).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(1)
    expect(standIn.payments.all()).toHaveLength(made)
    // Settled by the sequence id: it is there with its amount, or surely not there.
    const found = await partner.findPayment(request.sequenceId)
    expect(found?.localAmount ?? null).toBe(made === 1 ? '16000' : null)
  })

  test.each(['down', 'slow', 'cut', 'garbage', 'astray'] as const)('a partner that is %s', async (mode) => {
    const { id } = await partner.submit(paymentRequest({ forceAccept: false }))
    standIn.asked.length = 0
    standIn.mode = mode
    const asking = mode === 'slow' ? partnerOf(impatient) : partner
    for (const asked of [
      () => asking.submit(paymentRequest()),
      () => asking.accept(id),
      () => asking.deny(id),
    ])
      expect(await partnerProblem(asked())).toEqual(['outcome_unknown', null])
    expect(standIn.asked).toHaveLength(3)
    expect(standIn.payments.all()).toHaveLength(1)
  })

  test('a partner whose port is closed', async () => {
    await standIn.close()
    expect(await partnerProblem(partner.submit(paymentRequest()))).toEqual(['outcome_unknown', null])
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
    const error = await partnerFailure(partner.submit(paymentRequest()))
    expect([error.problem, error.message]).toEqual(['outcome_unknown', expect.stringContaining(field)])
    expect(standIn.asked).toHaveLength(1)
  })

  test('a decision that is answered with another payment', async () => {
    const { id } = await partner.submit(paymentRequest({ forceAccept: false }))
    standIn.lie = (payment) => ({ ...payment, id: newId() })
    expect(await partnerProblem(partner.accept(id))).toEqual(['outcome_unknown', null])
  })

  test('a look-up of a bank account changes nothing: it is not repeated, and unavailable', async () => {
    standIn.mode = 'down'
    expect(
      await partnerProblem(partner.resolveAccount({ accountNumber: '1111111111', networkId: bankId })),
    ).toEqual(['unavailable', null])
    expect(standIn.asked).toHaveLength(1)
  })
})

test('the same sequence id is refused a second time, and the first payment stays', async () => {
  const request = paymentRequest()
  const { id } = await partner.submit(request)
  expect(await partnerProblem(partner.submit(request))).toEqual(['refused', 'PaymentValidationError'])
  expect(standIn.payments.all().map((payment) => payment.id)).toEqual([id])
})

test('a throttled submission has an error of its own, with the wait, and made nothing', async () => {
  Object.assign(standIn, { throttled: 1, retryAfter: 7 })
  const error = await partnerFailure(partner.submit(paymentRequest()))
  expect([error.problem, error.retryAfterSeconds]).toEqual(['throttled', 7])
  expect(standIn.asked).toHaveLength(1)
  expect(standIn.payments.all()).toEqual([])
})

describe('a read', () => {
  test('is repeated while it is throttled or the partner is down, up to three times', async () => {
    const { id } = await partner.submit(paymentRequest())
    standIn.throttled = 2
    expect((await partner.payment(id))?.id).toBe(id)
    standIn.throttled = 3
    expect(await partnerProblem(partner.payment(id))).toEqual(['throttled', null])
    // A longer pause is the caller's.
    Object.assign(standIn, { throttled: 1, retryAfter: 2 })
    standIn.asked.length = 0
    expect((await partnerFailure(partner.payment(id))).retryAfterSeconds).toBe(2)
    expect(standIn.asked).toHaveLength(1)
    for (const mode of ['down', 'cut', 'slow'] as const) {
      standIn.mode = mode
      standIn.asked.length = 0
      expect(await partnerProblem(partnerOf(mode === 'slow' ? impatient : {}).payment(id))).toEqual([
        'unavailable',
        null,
      ])
      expect(standIn.asked).toHaveLength(3)
    }
  })

  test('answers null only where the partner says that there is no such payment', async () => {
    expect(await partner.payment(newId())).toBeNull()
    expect(await partner.findPayment(newId())).toBeNull()
    // A page of a proxy, or a path that is not served: it would be paid a second time.
    standIn.mode = 'astray'
    expect((await partnerProblem(partner.findPayment(newId())))[0]).toBe('unavailable')
    standIn.mode = 'ok'
    standIn.names = 'payments'
    expect(await partnerProblem(partner.payment(newId()))).toEqual(['refused', 'NotFound'])
  })

  test.each(['id', 'sequenceId'])('that is answered with another %s is refused', async (field) => {
    const request = paymentRequest()
    const { id } = await partner.submit(request)
    standIn.lie = (payment) => ({ ...payment, [field]: newId() })
    const asked = field === 'id' ? partner.payment(id) : partner.findPayment(request.sequenceId)
    expect(await partnerProblem(asked)).toEqual(['invalid_answer', null])
  })

  test('whose answer has no end is broken off', async () => {
    standIn.mode = 'flood'
    const error = await partnerFailure(partner.balances())
    expect([error.problem, error.message]).toEqual(['unavailable', expect.stringContaining('too large')])
  })

  test('of a bank account that is answered with another account is refused', async () => {
    standIn.lie = (resolved) => ({ ...resolved, accountNumber: '2222222222' })
    expect(
      await partnerProblem(partner.resolveAccount({ accountNumber: '1111111111', networkId: bankId })),
    ).toEqual(['invalid_answer', null])
  })

  test('that is answered in another form is refused, and names the field', async () => {
    const { id } = await partner.submit(paymentRequest())
    standIn.lie = (payment) => ({ ...payment, convertedAmount: '1,000', status: '' })
    const error = await partnerFailure(partner.payment(id))
    expect([error.problem, error.message]).toEqual([
      'invalid_answer',
      expect.stringMatching(/status, convertedAmount$/),
    ])
    const page = { by: 'updatedAt', from: new Date(0), to: new Date(), startAt: 0, perPage: 10 } as const
    expect((await partnerFailure(partner.listPayments(page))).message).toContain('payments.0.status')
    standIn.mode = 'garbage'
    expect(await partnerProblem(partner.balances())).toEqual(['invalid_answer', null])
  })

  test('shows another amount and a new status as the partner writes them', async () => {
    const { id } = await partner.submit(paymentRequest())
    standIn.lie = (payment) => ({ ...payment, convertedAmount: 15_999.5, status: 'on_hold' })
    expect(await partner.payment(id)).toMatchObject({ localAmount: '15999.5', status: 'on_hold' })
  })
})

test('no error holds the secret, the signature, a name or an account number', async () => {
  const request = paymentRequest({
    destination: { ...paymentRequest().destination, accountNumber: '0987654321', accountName: 'Canary Name' },
  })
  const errors: unknown[] = []
  const collect = async (asked: Promise<unknown>) =>
    errors.push(await asked.catch((thrown: unknown) => thrown))
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
    for (const secret of [credentials.secretKey, 'YcHmacV1', '0987654321', 'Canary Name', 'RC-1234'])
      expect(text).not.toContain(secret)
  }
})
