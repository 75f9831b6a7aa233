import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { type Address, createWalletClient, type Hex, http, parseAbi, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnetChain } from '../test/devnets/ethereum.ts'
import type { ReceivedWebhook } from './dev/receiver.ts'
import { homePath } from './dev/state.ts'

// npm run demo: takes a payment on each devnet of a running npm start, and prints its timeline.

interface Dev {
  apiUrl: string
  apiKey: string
  webhook: { url: string; secret: string; own: boolean }
  chains: Record<string, { rpcUrl: string; faucetPrivateKey: Hex; usdc: Address }>
}

interface Session {
  id: string
  chain: string
  address: Address
  amountExpected: string
  localAmount: string
  localCurrency: string
  status: string
  createdAt: string
}

interface Payload {
  type: string
  data: { id: string; sessionId?: string }
}

const patienceMs = 90_000

const file = join(homePath(), 'dev.json')
if (!existsSync(file)) fail(`There is no ${file}. Run npm start first, with the same COWRY_HOME.`)
const dev = JSON.parse(readFileSync(file, 'utf8')) as Dev

for (const [chain, devnet] of Object.entries(dev.chains)) await pay(chain, devnet)

async function pay(chain: string, devnet: Dev['chains'][string]): Promise<void> {
  const began = Date.now()
  const line = (at: number, what: string) => process.stdout.write(`  ${((at - began) / 1000).toFixed(3).padStart(8)} s  ${what}\n`)
  process.stdout.write(`\n${chain}\n`)
  const session = await api<Session>('POST', '/pos/sessions', {
    chain,
    token: 'USDC',
    localAmount: '25000',
    localCurrency: 'NGN',
    label: 'Two coffees',
  })
  line(
    Date.now(),
    `created: ${session.localAmount} ${session.localCurrency} = ${session.amountExpected} USDC to ${session.address} (session ${session.id})`,
  )

  const wallet = createWalletClient({
    account: privateKeyToAccount(devnet.faucetPrivateKey),
    chain: devnetChain(devnet.rpcUrl),
    transport: http(devnet.rpcUrl),
  })
  const hash = await wallet.writeContract({
    address: devnet.usdc,
    abi: parseAbi(['function transfer(address to, uint256 value) returns (bool)']),
    functionName: 'transfer',
    args: [session.address, parseUnits(session.amountExpected, 6)],
  })
  line(Date.now(), `sent by the customer: ${hash}`)
  if (!dev.webhook.own) line(Date.now(), `webhooks go to ${dev.webhook.url}, which this demo cannot look into`)

  const told = new Set<string>()
  let paid = false
  for (const deadline = began + patienceMs; ; await delay(50)) {
    // Only those of this run: a signature is good for five minutes.
    for (const webhook of (await received()).filter((each) => Date.parse(each.receivedAt) >= began)) {
      const payload = verify(webhook)
      const key = `${webhook.headers['webhook-id']}`
      if (told.has(key) || (payload.data.sessionId ?? payload.data.id) !== session.id) continue
      told.add(key)
      line(Date.parse(webhook.receivedAt), `webhook ${payload.type} (signature verified)`)
      if (payload.type === 'session.paid') paid = true
    }
    if (!dev.webhook.own) paid = (await api<Session>('GET', `/pos/sessions/${session.id}`)).status === 'paid'
    if (paid) break
    if (Date.now() > deadline)
      fail(`The session is ${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status} after ${patienceMs / 1000} s; see the logs.`)
  }
  line(Date.now(), `the API says: ${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status}`)
}

/** What the merchant's server of `npm start` received; nothing where webhooks go to somebody else's. */
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
  if (!response.ok) fail(`${method} ${path} answered ${response.status}: ${answer.message ?? answer.error}`)
  return answer
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
