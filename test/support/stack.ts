import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createPublicClient, createWalletClient, type Hex, http, type PrivateKeyAccount, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { seedDemo } from '../../scripts/dev/seed.ts'
import { type CowryProcess, type programs, startCowry } from '../../scripts/local/cowryProcess.ts'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import type { Db } from '../../src/platform/db.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { devnetChain, type EthereumDevnet, rpc, startEthereumDevnet } from '../devnets/ethereum.ts'
import { startYellowCard, type YellowCardStandIn } from '../partners/yellowcard.ts'
import { createTestDatabase } from './database.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { appKey, seedKey } from './template.ts'
import { waitFor } from './waitFor.ts'

export interface ApiAnswer<T = Record<string, unknown>> {
  status: number
  body: T
  headers: Headers
}

export interface SessionBody {
  id: string
  address: Address
  token: string
  amountExpected: string
  amountReceived: string
  status: string
  exception: string
  expiresAt: string
  confirmations: number
  payments: { txId: string; amount: string; status: string; exception: string; token: string }[]
  [field: string]: unknown
}

export type ProgramName = keyof typeof programs

export interface StackOptions {
  /** Processes to start; all four by default. */
  processes?: ProgramName[]
  confirmations?: number
  env?: Record<string, string>
  /** Puts something between the indexer and the node; gets the node's URL and answers the URLs to use. */
  rpcUrls?: (nodeUrl: string) => Promise<string[]>
  /** New heads by WebSocket; off by default, so that polling is what is tested. */
  subscribe?: boolean
}

/** A whole Cowry of the suite's own: real Postgres, Redis, node and processes. Blocks come only when the test mines them. */
export interface Stack {
  db: Db
  redis: LocalRedis
  devnet: EthereumDevnet
  partner: YellowCardStandIn
  receiver: Receiver
  apiKey: string
  businessId: string
  databaseUrl: string
  processes: Map<ProgramName, CowryProcess>
  start(name: ProgramName, env?: Record<string, string>): Promise<CowryProcess>
  /** Starts without waiting until it is ready. */
  launch(name: ProgramName, env?: Record<string, string>): CowryProcess
  stop(name: ProgramName): Promise<void>
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer<T>>
  createSession(body?: object): Promise<SessionBody>
  session(id: string): Promise<SessionBody>
  /** Waits until a session has this status and exception. */
  sessionIs(id: string, status: string, exception?: string, withinMs?: number): Promise<SessionBody>
  /** Mines blocks and waits for nothing. */
  mine(blocks?: number): Promise<void>
  /** Mines one block at a time of the chain's own. */
  mineAt(time: Date): Promise<void>
  /** Sends tokens without mining. */
  send(to: Address, amount: bigint, options?: { token?: Address; gas?: bigint }): Promise<Hex>
  height(): Promise<number>
  /** Waits until the indexer has committed the chain's head. */
  caughtUp(withinMs?: number): Promise<void>
  /** Waits until outbox and due deliveries are empty. */
  idle(withinMs?: number): Promise<void>
  logs(): string
  /** The last warnings and errors of the processes. */
  troubles(): string
  close(): Promise<void>
}

export const webhookSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

/** Retries, polls and leases as short as the tests can bear; nothing else differs from production. */
const quick = {
  LOG_LEVEL: 'debug',
  INDEXER_POLL_MS: '50',
  RPC_TIMEOUT_MS: '1000',
  RELAY_POLL_MS: '100',
  RELAY_RETRY_MS: '1500',
  WORKER_STALLED_MS: '1000',
  WEBHOOK_TIMEOUT_MS: '1000',
  SHUTDOWN_SECONDS: '10',
  VALIDATE_RESPONSES: 'enforce',
  POOL_TARGET: '400',
  POOL_LOW_WATER: '100',
  API_HOST: '127.0.0.1',
  PORT: '0',
}

export async function createStack(options: StackOptions = {}): Promise<Stack> {
  const home = mkdtempSync(join(tmpdir(), 'cowry-stack-'))
  const [database, redis, devnet, receiver] = await Promise.all([
    createTestDatabase(),
    startRedis({ home, durable: false }),
    startEthereumDevnet({ blockSeconds: 0 }),
    startReceiver(webhookSecret),
  ])
  const credentials = { apiKey: 'yc-test-key', secretKey: 'yc-test-secret' }
  const partner = await startYellowCard(credentials)
  const { db } = database
  const demo = await seedDemo({ db, appKey: new Secret(appKey) }, { businessId: null, apiKey: null, webhookSecret }, receiver.url)
  const rpcUrls = options.rpcUrls ? await options.rpcUrls(devnet.rpcUrl) : [devnet.rpcUrl]
  const env: Record<string, string> = {
    ...quick,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    APP_KEY: appKey,
    YELLOWCARD_URL: partner.url,
    YELLOWCARD_API_KEY: credentials.apiKey,
    YELLOWCARD_SECRET_KEY: credentials.secretKey,
    ETHEREUM_RPC_URLS: rpcUrls.join(','),
    ...(options.subscribe ? { ETHEREUM_WS_URLS: devnet.wsUrl } : {}),
    ETHEREUM_CHAIN_ID: '31337',
    ETHEREUM_USDC: devnet.usdc,
    ETHEREUM_USDT: devnet.usdt,
    ETHEREUM_CONFIRMATIONS: String(options.confirmations ?? 2),
    ETHEREUM_START_BLOCK: '1',
    ...options.env,
  }
  const processes = new Map<ProgramName, CowryProcess>()
  const logFile = join(home, 'processes.log')
  const launch = (name: ProgramName, more: Record<string, string> = {}) => {
    const launched = startCowry(
      name,
      name,
      name === 'indexer' ? ['ethereum'] : [],
      { ...env, ...(name === 'treasury' ? { SEED_KEY: seedKey } : {}), ...more },
      logFile,
    )
    processes.set(name, launched)
    return launched
  }

  const account: PrivateKeyAccount = privateKeyToAccount(devnet.faucetPrivateKey)
  const wallet = createWalletClient({ account, chain: devnetChain(devnet.rpcUrl), transport: http(devnet.rpcUrl) })
  const client = createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 })
  const height = async () => Number(await client.getBlockNumber({ cacheTime: 0 }))

  const stack: Stack = {
    db,
    redis,
    devnet,
    partner,
    receiver,
    apiKey: demo.apiKey,
    businessId: demo.businessId,
    databaseUrl: database.url,
    processes,
    launch,
    async start(name, more) {
      const launched = launch(name, more)
      await launched.ready()
      return launched
    },
    async stop(name) {
      await processes.get(name)?.stop()
      processes.delete(name)
    },
    async api<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const port = processes.get('api')?.port()
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': demo.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as T, headers: response.headers }
    },
    async createSession(body = {}) {
      const answer = await stack.api<SessionBody>('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '100', ...body })
      if (answer.status !== 201) throw new Error(`create-session answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async session(id) {
      return (await stack.api<SessionBody>('GET', `/pos/sessions/${id}`)).body
    },
    async sessionIs(id, status, exception = 'none', withinMs) {
      let last: SessionBody | undefined
      return waitFor(
        `session ${status}/${exception}`,
        async () => {
          last = await stack.session(id)
          return last.status === status && last.exception === exception ? last : null
        },
        withinMs,
      ).catch((error) => {
        throw new Error(`${error.message}; it is ${JSON.stringify(last)}\n${stack.troubles()}`)
      })
    },
    async mine(blocks = 1) {
      for (let i = 0; i < blocks; i++) await rpc(devnet.rpcUrl, 'evm_mine', [])
    },
    async mineAt(time) {
      await rpc(devnet.rpcUrl, 'evm_setNextBlockTimestamp', [Math.floor(time.getTime() / 1000)])
      await rpc(devnet.rpcUrl, 'evm_mine', [])
    },
    send: (to, amount, { token = devnet.usdc, gas = 120_000n } = {}) =>
      // A gas limit spares the estimate, which runs on the last block and would refuse what is meant to revert.
      wallet.writeContract({
        address: token,
        abi: parseAbi(['function transfer(address to, uint256 value)']),
        functionName: 'transfer',
        args: [to, amount],
        gas,
      }),
    height,
    async caughtUp(withinMs) {
      const head = await height()
      await waitFor(
        `indexer at ${head}`,
        async () => {
          const [row] = await db.query<{ height: string }>("select height from chain_cursors where chain = 'ethereum'")
          return Number(row?.height) >= head
        },
        withinMs,
      )
    },
    async idle(withinMs) {
      await waitFor(
        'outbox and deliveries empty',
        async () => {
          const [row] = await db.query<{ busy: number }>(
            "select ((select count(*) from outbox) + (select count(*) from webhook_deliveries where status = 'pending' and next_attempt_at < now() + interval '4 s'))::int as busy",
          )
          return row?.busy === 0
        },
        withinMs,
      )
    },
    logs: () => readFileSync(logFile, 'utf8'),
    troubles: () =>
      stack
        .logs()
        .split('\n')
        .filter((line) => /"level":"(warn|error|fatal)"/.test(line))
        .slice(-8)
        .join('\n'),
    async close() {
      await Promise.all([...processes.values()].map((each) => each.stop()))
      await Promise.all([database.drop(), redis.stop(), devnet.stop(), receiver.close(), partner.close()])
      rmSync(home, { recursive: true, force: true })
    },
  }
  try {
    await Promise.all((options.processes ?? ['treasury', 'api', 'indexer', 'worker']).map((name) => stack.start(name)))
  } catch (error) {
    await stack.close()
    throw error
  }
  return stack
}
