import { channels, networks, rates, redirecting } from './catalogue.ts'
import type { Collection, Destination } from './collection.ts'
import { cryptoNetworks } from './cryptoNetworks.ts'
import { hundredthsOf } from './money.ts'
import { Refusal } from './refusal.ts'

export type NewCollection = Pick<
  Collection,
  | 'sequenceId'
  | 'forceAccept'
  | 'country'
  | 'local'
  | 'usd'
  | 'feeUsd'
  | 'networkFeeUsd'
  | 'rate'
  | 'payer'
  | 'settlement'
  | 'given'
>

type Fields = Record<string, unknown>
const invalid = (message: string) => new Refusal(400, 'PaymentValidationError', message)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' ? (value as Fields) : {}
const nameOf = new Intl.DisplayNames('en', { type: 'region' })

/** A request to submit a collection, checked by its reference (reference/submit-collection-request). */
export function newCollection(body: unknown): NewCollection {
  const given = fieldsOf(body)
  for (const name of ['sequenceId', 'customerUID', 'customerType'])
    if (!isText(given[name])) throw invalid(`${name} is required`)
  const { forceAccept = false } = given
  if (typeof forceAccept !== 'boolean') throw invalid('forceAccept must be a boolean')
  const channel = channelOf(given)
  checkRecipient(given)
  checkSource(fieldsOf(given.source), channel)
  if (
    channel.id === redirecting &&
    forceAccept &&
    !(isText(given.redirectUrl) && /^https?:\/\/./.test(given.redirectUrl))
  )
    throw invalid('redirectUrl param is required for this channel')
  const rate = hundredthsOf(String(rates.find(({ code }) => code === channel.currency)?.buy))
  const { local, usd } = amountsOf(given, channel, rate)
  const destination = destinationOf(given, forceAccept)
  const feeUsd = (usd + 99n) / 100n
  const networkFeeUsd = destination ? (cryptoNetworks[destination.cryptoNetwork]?.feeUsd ?? 0n) : 0n
  const number = String(fieldsOf(given.source).accountNumber ?? '')
  return {
    sequenceId: String(given.sequenceId),
    forceAccept,
    country: channel.country,
    local,
    usd,
    feeUsd,
    networkFeeUsd,
    rate,
    payer: payerOf(number),
    settlement: destination && {
      ...destination,
      amount: cryptoAmount(local, rate, feeUsd + networkFeeUsd),
      txHash: null,
      status: null,
    },
    given: { ...given, channelId: channel.id, currency: channel.currency },
  }
}

type Channel = (typeof channels)[number]

function channelOf({ channelType, channelId, country, currency }: Fields): Channel {
  const isActive = (channel: Channel) =>
    channel.rampType === 'deposit' && channel.status === 'active' && channel.apiStatus === 'active'
  // "If you provide both channelType and channelId, channelType takes precedence" (docs/channels-api).
  if (isText(channelType)) {
    if (!isText(country) || !isText(currency))
      throw invalid('country and currency are required with channelType')
    const found = channels.find(
      (each) =>
        isActive(each) &&
        each.channelType === channelType &&
        each.country === country &&
        each.currency === currency,
    )
    if (!found) throw invalid('there is no such channel')
    return found
  }
  if (!isText(channelId)) throw invalid('channelId is required')
  const channel = channels.find((each) => isActive(each) && each.id === channelId)
  if (!channel) throw invalid('channelId is not valid')
  if (currency !== undefined && currency !== channel.currency)
    throw invalid('currency is not supported by the channel')
  // Their own example has a country's name.
  if (country !== undefined && country !== channel.country && country !== nameOf.of(channel.country))
    throw invalid('country is not supported by the channel')
  return channel
}

function checkRecipient({ customerType, recipient: about }: Fields): void {
  const recipient = fieldsOf(about)
  if (customerType !== 'retail' && customerType !== 'institution')
    throw invalid('customerType must be one of [retail, institution]')
  const person = ['name', 'phone', 'email', 'country', 'address', 'dob', 'idNumber', 'idType']
  const inNigeria = recipient.country === 'NG' ? ['additionalIdType', 'additionalIdNumber'] : []
  const wanted =
    customerType === 'retail' ? [...person, ...inNigeria] : ['businessId', 'businessName', 'email']
  for (const name of wanted) if (!isText(recipient[name])) throw invalid(`recipient.${name} is required`)
  if (customerType === 'institution') return
  if (!/^\+\d{6,15}$/.test(String(recipient.phone)))
    throw new Refusal(400, 'InvalidPhoneNumberFormat', 'phone is not in international format')
  if (!/^\d\d\/\d\d\/\d{4}$/.test(String(recipient.dob))) throw invalid('recipient.dob must be mm/dd/yyyy')
}

function checkSource({ accountType, accountNumber, networkId }: Fields, channel: Channel): void {
  if (accountType !== channel.channelType) throw invalid(`source.accountType must be ${channel.channelType}`)
  if (accountType === 'bank') return
  if (!isText(accountNumber)) throw invalid('source.accountNumber is required')
  const network = networks.find(({ id }) => id === networkId)
  if (!network?.channelIds.includes(channel.id) || network.status !== 'active')
    throw invalid('source.networkId is not valid')
}

function amountsOf(
  { amount, localAmount }: Fields,
  { min, max }: Channel,
  rate: bigint,
): { local: bigint; usd: bigint } {
  if ((amount === undefined) === (localAmount === undefined))
    throw invalid('either amount or localAmount is required, but not both')
  const number = amount ?? localAmount
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > 2 ** 31 - 1)
    throw invalid('the amount is not valid')
  const hundredths = BigInt(number) * 100n
  const local = amount === undefined ? hundredths : (hundredths * rate) / 100n
  const usd = amount === undefined ? (hundredths * 100n) / rate : hundredths
  const isAbove = max === 0 ? usd > 2_000_000n : local > BigInt(max) * 100n
  if (local < BigInt(min) * 100n || isAbove)
    throw invalid(`amount must be between ${min} and ${max === 0 ? '20000 USD' : max}`)
  return { local, usd }
}

function destinationOf(
  { directSettlement, settlementInfo }: Fields,
  forceAccept: boolean,
): Destination | null {
  if (directSettlement !== true) return null
  if (!forceAccept) throw invalid('forceAccept must be true for a direct settlement')
  const { walletAddress, walletTag, cryptoCurrency, cryptoNetwork } = fieldsOf(settlementInfo)
  for (const [name, value] of Object.entries({ walletAddress, cryptoCurrency, cryptoNetwork }))
    if (!isText(value)) throw invalid(`settlementInfo.${name} is required`)
  const network = cryptoNetworks[String(cryptoNetwork)]
  if (!network) throw invalid('settlementInfo.cryptoNetwork is not valid')
  if (!network.tokens.includes(String(cryptoCurrency)))
    throw invalid('settlementInfo.cryptoCurrency is not supported on this network')
  if (!network.address.test(String(walletAddress))) throw invalid('settlementInfo.walletAddress is not valid')
  if (network.needsTag && !isText(walletTag)) throw invalid('settlementInfo.walletTag is required')
  return {
    walletAddress: String(walletAddress),
    ...(isText(walletTag) && { walletTag }),
    cryptoCurrency: String(cryptoCurrency),
    cryptoNetwork: String(cryptoNetwork),
  }
}

/** What is left after fees, at the rate, with eight places as their example has. */
function cryptoAmount(local: bigint, rate: bigint, feesUsd: bigint): string {
  const rest = local - (feesUsd * rate) / 100n
  if (rest <= 0n) throw invalid('amount does not cover the fees')
  const units = String((rest * 10n ** 8n) / rate).padStart(9, '0')
  return `${units.slice(0, -8)}.${units.slice(-8)}`.replace(/\.?0+$/, '')
}

/** Sandbox accounts of docs/sandbox-testing-api; all others are paid by a test. */
function payerOf(number: string): Collection['payer'] {
  if (number.endsWith('1111111111')) return 'pays'
  return number.endsWith('0000000000') ? 'refuses' : 'waits'
}
