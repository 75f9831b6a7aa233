import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { type Address, createWalletClient, type Hex, http, parseAbi, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnetChain, type EvmChainName } from '../test/devnets/evm.ts'
import type { ReceivedWebhook } from './dev/receiver.ts'
import { homePath } from './dev/state.ts'

// npm run demo: takes a payment on each devnet of a running npm start, all at the same time, and prints the timeline
// of each when it is complete.

interface Dev {
  apiUrl: string
  apiKey: string
  webhook: { url: string; secret: string; own: boolean }
  chains: Partial<Record<EvmChainName, Devnet>>
}

interface Devnet {
  rpcUrl: string
  faucetPrivateKey: Hex
  usdc: Address
  decimals: number
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

/** Adds a line to a chain's timeline, of now or of a time. */
type Line = (what: string, at?: number) => void

const patienceMs = 90_000

const file = join(homePath(), 'dev.json')
if (!existsSync(file)) fail(`There is no ${file}. Run npm start first, with the same COWRY_HOME.`)
const dev = JSON.parse(readFileSync(file, 'utf8')) as Dev

const chains = Object.entries(dev.chains) as [EvmChainName, Devnet][]
if (chains.length === 0) fail('No chain of this npm start has a devnet, so there is nobody to pay.')
process.stdout.write(`Taking a payment on ${chains.map(([chain]) => chain).join(', ')} …\n`)
await Promise.all(
  chains.map(async ([chain, devnet]) => {
    const began = Date.now()
    const timeline: string[] = [chain]
    const line: Line = (what, at = Date.now()) => void timeline.push(`  ${((at - began) / 1000).toFixed(3).padStart(8)} s  ${what}`)
    await pay(chain, devnet, line).catch((error: Error) => {
      line(error.message)
      process.exitCode = 1
    })
    process.stdout.write(`\n${timeline.join('\n')}\n`)
  }),
)

async function pay(chain: EvmChainName, devnet: Devnet, line: Line): Promise<void> {
  const began = Date.now()
  const session = await api<Session>('POST', '/pos/sessions', {
    chain,
    token: 'USDC',
    localAmount: '25000',
    localCurrency: 'NGN',
    label: 'Two coffees',
  })
  line(`created: ${session.localAmount} ${session.localCurrency} = ${session.amountExpected} USDC to ${session.address} (session ${session.id})`)

  const wallet = createWalletClient({
    account: privateKeyToAccount(devnet.faucetPrivateKey),
    chain: devnetChain(chain, devnet.rpcUrl),
    transport: http(devnet.rpcUrl),
  })
  const hash = await wallet.writeContract({
    address: devnet.usdc,
    abi: parseAbi(['function transfer(address to, uint256 value) returns (bool)']),
    functionName: 'transfer',
    args: [session.address, parseUnits(session.amountExpected, devnet.decimals)],
  })
  line(`sent by the customer: ${hash}`)
  if (!dev.webhook.own) line(`webhooks go to ${dev.webhook.url}, which this demo cannot look into`)

  const told = new Set<string>()
  let paid = false
  for (const deadline = began + patienceMs; !paid && Date.now() < deadline; await delay(100)) {
    // Only those of this run: a signature is good for five minutes.
    for (const webhook of (await received()).filter((each) => Date.parse(each.receivedAt) >= began)) {
      const id = `${webhook.headers['webhook-id']}`
      if (told.has(id)) continue
      told.add(id)
      const payload = verify(webhook)
      if ((payload.data.sessionId ?? payload.data.id) !== session.id) continue
      line(`webhook ${payload.type} (signature verified)`, Date.parse(webhook.receivedAt))
      if (payload.type === 'session.paid') paid = true
    }
    if (!dev.webhook.own) paid = (await api<Session>('GET', `/pos/sessions/${session.id}`)).status === 'paid'
  }
  line(`the API says: ${(await api<Session>('GET', `/pos/sessions/${session.id}`)).status}`)
  if (!paid) throw new Error(`nobody told of a payment within ${patienceMs / 1000} s; see the logs`)
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
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.message ?? answer.error}`)
  return answer
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
