import { channels, networks, rates } from './catalogue.ts'
import { hundredthsOf } from './money.ts'
import type { NewPayment } from './payments.ts'
import { Refusal } from './refusal.ts'

type Fields = Record<string, unknown>
const invalid = (message: string) => new Refusal(400, 'PaymentValidationError', message)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' ? (value as Fields) : {}

/** Sandbox accounts of their documentation: one that fails, the others succeed. */
const failing = '0000000000'

/** The holder of an account (reference/resolve-bank-account). */
export function resolveBankAccount(body: unknown): object {
  const { accountNumber, networkId } = fieldsOf(body)
  if (!isText(accountNumber) || !isText(networkId))
    throw new Refusal(400, 'InvalidRequestBody', 'accountNumber and networkId are required')
  const network = networks.find(({ id }) => id === networkId)
  if (!network || accountNumber === failing)
    throw new Refusal(400, 'ResolveAccountError', `Could not resolve account ${accountNumber}`)
  return { accountNumber, accountName: 'Ken Adams', accountBank: network.name }
}

/** A request to submit a payment, checked by its reference (reference/submit-payment). */
export function newPayment(body: unknown): NewPayment {
  const given = fieldsOf(body)
  const [sender, destination] = [fieldsOf(given.sender), fieldsOf(given.destination)]
  for (const name of ['sequenceId', 'reason', 'customerUID', 'customerType'])
    if (!isText(given[name])) throw invalid(`${name} is required`)
  if (typeof given.forceAccept !== 'boolean') throw invalid('forceAccept is required')
  for (const name of ['accountNumber', 'accountType', 'networkId', 'accountName'])
    if (!isText(destination[name])) throw invalid(`destination.${name} is required`)
  const wanted =
    given.customerType === 'institution'
      ? ['businessId', 'businessName']
      : ['name', 'country', 'address', 'dob', 'idNumber', 'idType']
  for (const name of wanted) if (!isText(sender[name])) throw invalid(`sender.${name} is required`)
  if (!networks.some(({ id }) => id === destination.networkId))
    throw invalid('destination.networkId is not valid')
  const { amount, localAmount } = given
  if ((amount === undefined) === (localAmount === undefined))
    throw invalid('either amount or localAmount is required, but not both')
  const number = amount ?? localAmount
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > 2 ** 31 - 1)
    throw invalid('the amount is not valid')
  const paying = channels.filter(({ rampType }) => rampType === 'withdraw')
  const channel = paying.find(({ id, channelType, country, currency }) =>
    isText(given.channelId)
      ? id === given.channelId
      : channelType === given.channelType && country === given.country && currency === given.currency,
  )
  if (!channel) throw invalid('there is no such channel')
  const rate = hundredthsOf(String(rates.find(({ code }) => code === channel.currency)?.sell))
  const hundredths = BigInt(number) * 100n
  const local = amount === undefined ? hundredths : (hundredths * rate) / 100n
  const usd = amount === undefined ? (hundredths * 100n + rate - 1n) / rate : hundredths
  return {
    sequenceId: String(given.sequenceId),
    forceAccept: given.forceAccept,
    local,
    usd,
    feeUsd: (usd + 99n) / 100n,
    rate,
    outcome: destination.accountNumber === failing ? 'failed' : 'complete',
    given: { ...given, channelId: channel.id, currency: channel.currency, country: channel.country },
  }
}

/** A page of a list (reference/list-payments). */
export function pageOf<P extends { createdAt: number; updatedAt: number }>(
  payments: readonly P[],
  query: URLSearchParams,
): P[] {
  const time = (name: string, otherwise: number) => {
    const text = query.get(name)
    if (text === null) return otherwise
    if (Number.isNaN(Date.parse(text)))
      throw new Refusal(400, 'InvalidInput', `invalid ${name} passed in request`)
    return Date.parse(text)
  }
  const [from, to] = [time('startDate', 0), time('endDate', Number.POSITIVE_INFINITY)]
  const field = (name: string): 'createdAt' | 'updatedAt' =>
    query.get(name) === 'updatedAt' ? 'updatedAt' : 'createdAt'
  const [range, sort] = [field('rangeBy'), field('sortBy')]
  const sign = query.get('orderBy') === 'asc' ? 1 : -1
  const startAt = Number(query.get('startAt') ?? 0)
  return payments
    .filter((payment) => payment[range] >= from && payment[range] <= to)
    .sort((a, b) => sign * (a[sort] - b[sort]))
    .slice(startAt, startAt + Number(query.get('perPage') ?? 100))
}
