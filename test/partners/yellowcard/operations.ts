import { channels, type networks, rates } from './catalogue.ts'
import { onCollections } from './collectionOperations.ts'
import type { Collections } from './collections.ts'
import { decimalOf, jsonNumber } from './money.ts'
import { type Payment, shown } from './payment.ts'
import type { Payments } from './payments.ts'
import { Refusal } from './refusal.ts'
import { newPayment, pageOf, resolveBankAccount } from './requests.ts'

export interface Served {
  payments: Payments
  collections: Collections
  /** Added to the usual rates. */
  moreRates: typeof rates
  /** What it answers as its networks. */
  networks: typeof networks
  ratesAt: number
  /** The names of payments and collections that are served; by default both, as they promise. */
  names: 'both' | 'send' | 'payments'
  lookUpLags: boolean
}

interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

/** Carries out one request, and answers with its body. @throws Refusal */
export function carryOut(served: Served, asked: Asked): object {
  const { method, path, body } = asked
  const updatedAt = new Date(served.ratesAt).toISOString()
  switch (`${method} ${path}`) {
    case 'GET /business/rates':
      return { rates: [...rates, ...served.moreRates].map((rate) => ({ ...rate, updatedAt })) }
    case 'GET /business/channels':
      return { channels }
    case 'GET /business/networks':
      return { networks: served.networks }
    case 'GET /business/account':
      return {
        accounts: [
          {
            available: jsonNumber(decimalOf(served.payments.available())),
            currency: 'USD',
            currencyType: 'fiat',
          },
        ],
      }
    case 'POST /business/details/bank':
      return resolveBankAccount(body)
  }
  return onCollections(served, asked) ?? onPayments(served, asked)
}

const operation = /^\/business\/(send|sends|payments)(?:\/(sequence-id\/)?([^/]+))?(?:\/(accept|deny))?$/

function onPayments({ payments, names, lookUpLags }: Served, { method, path, query, body }: Asked): object {
  const [matched, name, ofSequence, rawId, decision] = operation.exec(path) ?? []
  // The look-up by sequence id is documented under the older name only.
  const isServed =
    names === 'both' || ofSequence !== undefined || (name === 'payments') === (names === 'payments')
  if (matched === undefined || !isServed) throw new Refusal(404, 'NotFound', 'no such path')
  if (rawId === undefined) {
    if (method === 'GET' && name !== 'send')
      return { payments: pageOf(payments.all(), query).map((payment) => shown(payment)) }
    if (method === 'POST' && name !== 'sends') return submit(payments, body)
    throw new Refusal(404, 'NotFound', 'no such path')
  }
  const id = decodeURIComponent(rawId)
  const payment = payments.all().find((each) => (ofSequence === undefined ? each.id : each.sequenceId) === id)
  if (!payment || (lookUpLags && ofSequence !== undefined))
    throw new Refusal(404, 'PaymentNotFound', `Payment ${id} not found`)
  if (decision === undefined) return shown(payment)
  return decide(payments, payment, decision)
}

function submit(payments: Payments, body: unknown): object {
  const request = newPayment(body)
  // Not on their page of errors; as antinvestor/service-payments has it from the API.
  if (payments.all().some(({ sequenceId }) => sequenceId === request.sequenceId))
    throw new Refusal(400, 'PaymentValidationError', 'Duplicate sequenceId')
  return shown(payments.add(request))
}

function decide(payments: Payments, payment: Payment, decision: string): object {
  if (payment.status === 'expired') throw new Refusal(400, 'PaymentExpired', 'payment request has expired')
  const done = decision === 'accept' ? payments.accept(payment) : payments.deny(payment)
  if (!done) throw new Refusal(400, 'PaymentInvalidState', `payment is ${payment.status}`)
  // The answer to a denial has `denied`; later ones have `failed` (reference/deny-payment-request,
  // docs/events-api).
  return decision === 'accept' ? shown(payment) : shown(payment, 'denied')
}
