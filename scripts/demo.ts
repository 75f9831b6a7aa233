import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Webhook } from 'standardwebhooks'
import type { ChainName } from '../src/chains/registry.ts'
import { collect } from './demo/collection.ts'
import {
  comparePayout,
  type PaidDevnet,
  type PartnerAccess,
  placeOf,
  type ShownPayout,
} from './demo/payout.ts'
import { payDevnet } from './dev/payDevnet.ts'
import type { ReceivedWebhook } from './dev/receiver.ts'
import { homePath } from './dev/state.ts'

// npm run demo                   takes a payment on each devnet of a running npm start, all at once, follows
// it until it is paid out to a bank or a
//                                wallet, and prints the timeline of each; where the partner's stand-in
// settles, has a customer pay in naira, too npm run demo -- ethereum tron  only on these
// npm run demo -- --until paid   without waiting for the payout

interface Dev {
  apiUrl: string
  apiKey: string
  databaseUrl: string
  partner?: PartnerAccess
  webhook: { url: string; secret: string; own: boolean }
  chains: Partial<Record<ChainName, Devnet>>
}

interface Devnet extends PaidDevnet {
  faucetPrivateKey: string
  /** The merchant's wallet, which collections are settled to. */
  merchantAddress?: string
  /** Stellar only. */
  networkPassphrase?: string
}

interface Session {
  id: string
  chain: string
  address: string
  memo?: string
  amountExpected: string
  localAmount: string
  localCurrency: string
  status: string
  /** The page where the customer pays. */
  checkoutUrl: string
  createdAt: string
}

interface Payload {
  type: string
  data: { id: string; sessionId?: string }
}

/** Adds a line to a chain's timeline, at the given time or now. */
type Line = (what: string, at?: number) => void

const patienceMs = 90_000

/** A sweep and the payout itself have to be final first. */
const payoutPatienceMs = 180_000
const ends = ['session.paid', 'session.paid_out'] as const

const { positionals: asked, values: options } = parseArgs({
  allowPositionals: true,
  options: { until: { type: 'string', default: 'paid_out' } },
})
if (options.until !== 'paid' && options.until !== 'paid_out') fail('--until takes paid or paid_out')
const until = options.until
const file = join(homePath(), 'dev.json')
if (!existsSync(file)) fail(`There is no ${file}. Run npm start first, with the same COWRY_HOME.`)
const dev = JSON.parse(readFileSync(file, 'utf8')) as Dev

const unknown = asked.filter((chain) => !(chain in dev.chains))
if (unknown.length > 0)
  fail(`This npm start has no devnet of ${unknown.join(', ')}; it has ${Object.keys(dev.chains).join(', ')}.`)
const chains = (Object.entries(dev.chains) as [ChainName, Devnet][]).filter(
  ([chain]) => asked.length === 0 || asked.includes(chain),
)
if (chains.length === 0) fail('No chain of this npm start has a devnet, so no payment can be made.')
process.stdout.write(`Taking a payment on ${chains.map(([chain]) => chain).join(', ')} …\n`)
await Promise.all(
  chains.map(async ([chain, devnet]) => {
    const began = Date.now()
    const timeline: string[] = [chain]
    const line: Line = (what, at = Date.now()) =>
      void timeline.push(`  ${((at - began) / 1000).toFixed(3).padStart(8)} s  ${what}`)
    await pay(chain, devnet, line).catch((error: Error) => {
      line(error.message)
      process.exitCode = 1
    })
    process.stdout.write(`\n${timeline.join('\n')}\n`)
  }),
)

async function pay(chain: ChainName, devnet: Devnet, line: Line): Promise<void> {
  const began = Date.now()
  // Circle issues no USDC on Tron.
  const token = devnet.usdc ? 'USDC' : 'USDT'
  const session = await api<Session>('POST', '/pos/sessions', {
    chain,
    token,
    localAmount: '25000',
    localCurrency: 'NGN',
    label: 'Two coffees',
  })
  const to = session.memo === undefined ? session.address : `${session.address} with memo ${session.memo}`
  line(
    `created: ${session.localAmount} ${session.localCurrency} = ${session.amountExpected} ${token} to ${to} (session ${session.id})`,
  )
  line(`checkout page: ${session.checkoutUrl}`)
  line(`sent by the customer: ${await send(chain, devnet, session, token)}`)
  if (!dev.webhook.own) line(`webhooks go to ${dev.webhook.url}, which this demo cannot read`)

  const follow = follower(session, began, line)
  await follow('paid', began + patienceMs)
  line(`the API reports: ${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status}`)
  if (until === 'paid') return
  // The stand-in pays from the same account of the devnet: only once the payment is in a block.
  const collected = dev.partner
    ? collect({ api, line }, chain, devnet, devnet.merchantAddress)
    : Promise.resolve()
  const done = await Promise.allSettled([collected, payOut(session, follow, line)])
  for (const each of done) if (each.status === 'rejected') throw each.reason
}

async function payOut(session: Session, follow: ReturnType<typeof follower>, line: Line): Promise<void> {
  await follow('paid_out', Date.now() + payoutPatienceMs)
  const { payouts } = await api<{ payouts: ShownPayout[] }>('GET', `/payouts?sessionId=${session.id}`)
  const payout = payouts.find(({ status }) => status === 'completed')
  if (!payout) throw new Error(`no payout of the session is completed: ${JSON.stringify(payouts)}`)
  line(
    `paid out: ${payout.receiveAmount} ${payout.receiveCurrency} to ${placeOf(payout)}, for ${payout.amount} ${payout.source.token} less a fee of ${payout.fee} ${payout.feeCurrency} (${payout.txHash ?? payout.partnerPaymentId})`,
  )
  line(
    await comparePayout(payout, { databaseUrl: dev.databaseUrl, devnets: dev.chains, partner: dev.partner }),
  )
  line(`the API reports: ${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status}`)
}

/** Prints the webhooks of a session and of its payout as they arrive, until the session has a state. */
function follower(
  session: Session,
  began: number,
  line: Line,
): (state: 'paid' | 'paid_out', deadline: number) => Promise<void> {
  const printed = new Set<string>()
  const reached = new Set<string>()
  const read = async () => {
    // Only webhooks of this run: a signature is valid for five minutes.
    for (const webhook of (await received()).filter((each) => Date.parse(each.receivedAt) >= began)) {
      const id = `${webhook.headers['webhook-id']}`
      if (printed.has(id)) continue
      printed.add(id)
      const payload = verify(webhook)
      if (![payload.data.id, payload.data.sessionId].includes(session.id)) continue
      line(`webhook ${payload.type} (signature verified)`, Date.parse(webhook.receivedAt))
      reached.add(payload.type)
    }
    if (!dev.webhook.own)
      reached.add(`session.${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status}`)
  }
  return async (state, deadline) => {
    const awaited = ends.slice(ends.indexOf(`session.${state}`))
    while (!awaited.some((type) => reached.has(type))) {
      if (Date.now() > deadline) throw new Error(`not ${state} in time; see the logs`)
      await delay(100)
      await read()
    }
  }
}

/** Pays a session as its customer. @returns the transaction's id */
function send(
  chain: ChainName,
  devnet: Devnet,
  { address, memo, amountExpected }: Session,
  token: string,
): Promise<string> {
  return payDevnet(chain, devnet, { address, memo, token, amount: amountExpected })
}

/** The webhooks that the merchant's server of `npm start` received; empty if they go to another server. */
async function received(): Promise<ReceivedWebhook[]> {
  if (!dev.webhook.own) return []
  const response = await fetch(dev.webhook.url)
  return (await response.json()) as ReceivedWebhook[]
}

function verify(webhook: ReceivedWebhook): Payload {
  return new Webhook(dev.webhook.secret).verify(webhook.body, webhook.headers) as Payload
}

async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${dev.apiUrl}${path}`, {
    method,
    headers: { 'x-api-key': dev.apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((error: Error) => fail(`${dev.apiUrl} does not answer (${error.message}). Is npm start running?`))
  const answer = (await response.json()) as T & { error?: string; message?: string }
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${answer.message ?? answer.error}`)
  return answer
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
