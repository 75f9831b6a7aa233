import { oneLine } from '../mail/oneLine.ts'
import type { NotificationKind } from './kinds.ts'

/** Events that a mail names; the others are in its count. */
export const maxListed = 20

/** An event as it is stored. */
export interface HappenedEvent {
  type: string
  at: Date
  data: Readonly<Record<string, unknown>>
}

export interface NotificationFacts {
  kind: NotificationKind
  businessId: string
  businessName: string
  /** How many events the mail is about. */
  events: number
  /** The newest of them. */
  listed: readonly HappenedEvent[]
}

interface Links {
  /** The deployment's URL. */
  baseUrl: string
  stopUrl: string
}

interface Words {
  one: string
  many: string
  /** What the mails are about, as the dashboard has it. */
  when: string
  /** The page with all of them. */
  page: string
}

const words: Readonly<Record<NotificationKind, Words>> = {
  paid: { one: 'payment was paid', many: 'payments were paid', when: 'a payment is paid', page: 'payments' },
  exception: {
    one: 'payment is not as requested',
    many: 'payments are not as requested',
    when: 'a payment is not as requested',
    page: 'payments',
  },
  payout_failed: { one: 'payout failed', many: 'payouts failed', when: 'a payout fails', page: 'payouts' },
  endpoint_failing: {
    one: 'report of a failing webhook endpoint',
    many: 'reports of failing webhook endpoints',
    when: 'a webhook endpoint fails',
    page: 'settings/webhooks',
  },
}

/** What mails of a kind are about: they come when … */
export const whenOf = (kind: NotificationKind): string => words[kind].when

/**
 * Subject and text of a mail about events. What people of the business or its customers wrote is in the text,
 * each on one line, and never in the subject.
 */
export function composeNotification(
  { kind, businessId, businessName, events, listed }: NotificationFacts,
  { baseUrl, stopUrl }: Links,
): { subject: string; text: string } {
  const { host } = new URL(baseUrl)
  const { one, many, when, page } = words[kind]
  const at = `${baseUrl.replace(/\/+$/, '')}/dashboard/b/${businessId}`
  const counted = `${events.toLocaleString('en')} ${events === 1 ? one : many}`
  const rest = events - listed.length
  const text = [
    `${counted}, of the business "${oneLine(businessName)}" at ${host}.`,
    ...listed.map((event) => lineOf(event, at)),
    ...(rest > 0
      ? [`${listed.length > 0 ? 'And' : 'See'} ${rest.toLocaleString('en')} more: ${at}/${page}`]
      : []),
    `You get a mail when ${when}, of this business. To choose others: ${at}/settings/business`,
    `To stop them without signing in: ${stopUrl}`,
  ]
  return { subject: `${counted} at ${host}`, text: `${text.join('\n\n')}\n` }
}

function lineOf({ type, at, data }: HappenedEvent, business: string): string {
  const [what, link] = describe(type, data, business)
  const time = at.toISOString().slice(0, 16).replace('T', ' ')
  return `- ${time} UTC: ${what}\n  ${link}`
}

function describe(type: string, data: HappenedEvent['data'], business: string): [what: string, link: string] {
  const topic = type.slice(0, type.indexOf('.'))
  if (topic === 'session') return [describeSession(type, data), `${business}/payments/${idOf(data.id)}`]
  if (topic === 'payout') return [describePayout(type, data), `${business}/payouts/${idOf(data.id)}`]
  const endpoint = partOf(data.endpoint)
  const page = endpoint.callback === true ? '' : `/${idOf(endpoint.id)}`
  return [describeEndpoint(type, data, endpoint), `${business}/settings/webhooks${page}`]
}

/** What a payment's event says beside what came and what was requested. */
const outcomes: Readonly<Record<string, string>> = {
  'session.underpaid': 'too little came',
  'session.overpaid': 'too much came',
  'session.late': 'a payment came after the deadline',
  'session.reversed': 'the network took a payment back',
}

function describeSession(type: string, data: HappenedEvent['data']): string {
  const [token, chain] = [shown(data.token), shown(data.chain)]
  const amount = type === 'session.paid' ? `${amountOf(data.amountReceived)} ${token} on ${chain}` : null
  const difference = `${outcomes[type] ?? type}: ${amountOf(data.amountReceived)} of ${amountOf(data.amountExpected)} ${token} on ${chain}`
  return `${amount ?? difference}${named(data)}`
}

function describePayout(type: string, data: HappenedEvent['data']): string {
  const { token, chain } = partOf(data.source)
  const happened = type === 'payout.returned' ? 'the bank returned it' : 'it was not paid'
  const reason = data.reason ? ` (${shown(data.reason).replaceAll('_', ' ')})` : ''
  return `${amountOf(data.amount)} ${shown(token)} on ${shown(chain)}, ${happened}${reason}${named(data)}`
}

function describeEndpoint(
  type: string,
  data: HappenedEvent['data'],
  { host, description }: Readonly<Record<string, unknown>>,
): string {
  const name = `${shown(host)}${description ? ` ("${shown(description)}")` : ''}`
  if (type === 'delivery.failed') {
    const deliveries = data.count === 1 ? 'delivery was' : 'deliveries were'
    return `${shown(data.count)} ${deliveries} given up, to ${name}`
  }
  const why = data.reason === 'gone' ? 'it answered that it is gone' : 'every attempt failed for days'
  return `the endpoint at ${name} is paused: ${why}`
}

/** Label and reference, which the business gave. */
function named({ label, reference }: HappenedEvent['data']): string {
  const parts = [
    ...(label ? [`"${shown(label)}"`] : []),
    ...(reference ? [`reference "${shown(reference)}"`] : []),
  ]
  return parts.length > 0 ? `, ${parts.join(', ')}` : ''
}

const partOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Exact, as the event has it. */
const amountOf = (value: unknown): string =>
  typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? value : '?'

/** A value of an event as text on one line. Events of other versions may lack it. */
const shown = (value: unknown): string =>
  value === undefined || value === null ? '?' : oneLine(String(value)).slice(0, 200)

const idOf = (value: unknown): string => encodeURIComponent(String(value ?? ''))
