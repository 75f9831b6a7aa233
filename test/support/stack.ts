import { channel } from 'node:diagnostics_channel'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createPublicClient, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { applyGrants } from '../../migrations/applyGrants.ts'
import { seedDemo } from '../../scripts/dev/seed.ts'
import { type CowryProcess, type programs, startCowry } from '../../scripts/local/cowryProcess.ts'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openWalletKeys } from '../../src/custody/walletKeys.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { pause } from '../../src/platform/wait.ts'
import { cctpDomains, cctpEnv, hasRoute, startCctp } from '../devnets/cctp.ts'
import { payOnEvm } from '../devnets/customers/evm.ts'
import { devnetChain, devnetEnv, type EvmDevnet, rpc, startEvmDevnet } from '../devnets/evm.ts'
import { solanaPeer, startSolanaCctp } from '../devnets/solanaCctp.ts'
import { type CircleStandIn, startCircle } from '../partners/circle.ts'
import { startSwapPartners } from '../partners/swapPartners.ts'
import type { SwapStandIn } from '../partners/swapServer.ts'
import { startYellowCard, type YellowCardStandIn } from '../partners/yellowcard.ts'
import type { ZeroXStandIn } from '../partners/zerox.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { intentEnv } from './intentKeys.ts'
import {
  isOther,
  type OtherChainName,
  type OtherDevnet,
  type OtherDevnets,
  startOther,
} from './otherDevnets.ts'
import { type Collector, startCollector, tracingEnv } from './otlp.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { appKey, roleUrls, seedKey, testRoles } from './template.ts'
import { waitFor } from './waitFor.ts'

export interface ApiAnswer<T = Record<string, unknown>> {
  status: number
  body: T
  headers: Headers
}

export interface SessionBody {
  id: string
  chain: string
  address: Address
  memo?: string
  memoType?: string
  muxedAddress?: string
  token: string
  amountExpected: string
  amountReceived: string
  status: string
  exception: string
  expiresAt: string
  confirmations: number
  payments: {
    txId: string
    chain: string
    token: string
    amount: string
    status: string
    exception: string
  }[]
  [field: string]: unknown
}

export type ProgramName = keyof typeof programs
/** `indexer` is that of the first chain. */
export type ProcessName = ProgramName | `indexer-${ChainName}`

export interface StackOptions {
  /** Each gets a devnet and an indexer; ethereum alone by default. */
  chains?: ChainName[]
  /**
   * Programs to start; by default the treasury and `cowry`, which runs the rest. A suite that sends from no
   * wallet needs no treasury: its database has the key that wallets are stored under, and 400 free addresses
   * of each family. The treasury also opens Stellar's account.
   */
  processes?: ProgramName[]
  /**
   * Runs api, worker and each indexer as a process of its own, for suites that kill, freeze or stop one of
   * them.
   */
  separate?: boolean
  confirmations?: number
  /**
   * Puts Circle's contracts on the EVM devnets and its programs on Solana's, and starts a stand-in for its
   * service.
   */
  bridge?: true
  /** Every chain keeps its own confirmation rule: the registry's depth, and Polygon's finalized tag. */
  finalizedTag?: boolean
  /** In place of a clone of the template; it is dropped when the stack closes. */
  database?: TestDatabase
  env?: Record<string, string>
  /**
   * Every request, job and statement has a span, in a collector of the stack's own. Suites that search for
   * secrets need it.
   */
  traced?: true
  /** Puts a proxy between the indexer and the node; gets the node's URL and returns the URLs to use. */
  rpcUrls?: (nodeUrl: string, chain: ChainName) => Promise<string[]>
  /** New heads by WebSocket; off by default, to test polling. */
  subscribe?: boolean
}

/**
 * A whole Cowry of the suite's own: real Postgres, Redis, nodes and processes. Blocks come only when the test
 * mines them.
 */
export interface Stack {
  db: ModelDb
  redis: LocalRedis
  /** The first chain, which is the default of every `chain`. */
  chain: ChainName
  /** That of the first EVM chain. @throws if there is no EVM chain */
  readonly devnet: EvmDevnet
  devnets: Map<ChainName, EvmDevnet>
  chains: readonly ChainName[]
  /** The devnet of a family other than EVM. @throws if the stack does not have it */
  other<C extends OtherChainName>(chain: C): OtherDevnets[C]
  partner: YellowCardStandIn
  zeroX: ZeroXStandIn
  jupiter: SwapStandIn
  /** Only with `bridge`. */
  circle: CircleStandIn
  receiver: Receiver
  /** Only with `traced`. */
  collector: Collector | null
  apiKey: string
  businessId: string
  databaseUrl: string
  /** By `ProcessName`, or by the name of a launch. The names of `cowry`'s parts work, too. */
  processes: Map<string, CowryProcess>
  start(name: ProcessName, env?: Record<string, string>, options?: LaunchOptions): Promise<CowryProcess>
  /** Starts without waiting until it is ready. */
  launch(name: ProcessName, env?: Record<string, string>, options?: LaunchOptions): CowryProcess
  stop(name: string): Promise<void>
  api<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer<T>>
  createSession(body?: object): Promise<SessionBody>
  session(id: string): Promise<SessionBody>
  /** Waits until a session has this status and exception. */
  sessionIs(id: string, status: string, exception?: string, withinMs?: number): Promise<SessionBody>
  /** Mines blocks without waiting for the indexer. */
  mine(blocks?: number, chain?: ChainName): Promise<void>
  /** Mines one block at this time. */
  mineAt(time: Date, chain?: ChainName): Promise<void>
  /**
   * Pays a session's address through the chain's own public library, without making a block: the expected
   * amount by default.
   */
  pay(
    session: Pick<SessionBody, 'chain' | 'address' | 'memo' | 'token' | 'amountExpected'>,
    amount?: string,
  ): Promise<string>
  /** Sends tokens without mining, USDC by default. */
  send(
    to: Address,
    amount: bigint,
    options?: { chain?: ChainName; token?: Address; gas?: bigint },
  ): Promise<Hex>
  /** Sends the native coin without mining. */
  sendNative(to: Address, amount: bigint, options?: { chain?: ChainName }): Promise<Hex>
  /** The faucet's wallet, for other transactions. */
  wallet(chain?: ChainName): ReturnType<typeof faucetOf>
  client(chain?: ChainName): ReturnType<typeof clientOf>
  height(chain?: ChainName): Promise<number>
  /** Waits until the indexer has committed the chain's head. */
  caughtUp(withinMs?: number, chain?: ChainName): Promise<void>
  /** Waits until outbox and due deliveries are empty. */
  idle(withinMs?: number): Promise<void>
  logs(): string
  /** The last warnings and errors of the processes. */
  troubles(): string
  close(): Promise<void>
}

export interface LaunchOptions {
  /** Its name among `processes`, so that a program can run twice. */
  as?: string
  /** Sources of another release. */
  folder?: string
}

interface Node {
  devnet: EvmDevnet
  wallet: ReturnType<typeof faucetOf>
  client: ReturnType<typeof clientOf>
}

const faucetOf = ({ chain, rpcUrl, faucetPrivateKey }: EvmDevnet) =>
  createWalletClient({
    account: privateKeyToAccount(faucetPrivateKey),
    chain: devnetChain(chain, rpcUrl),
    transport: http(rpcUrl),
  })
const clientOf = ({ rpcUrl }: EvmDevnet) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })

/** The processes by name; a part of `cowry` leads to that process. */
class Processes extends Map<string, CowryProcess> {
  isPart(name: string): boolean {
    return !super.has(name) && super.has('cowry') && /^(api|worker|indexer(-\w+)?)$/.test(name)
  }

  override get(name: string): CowryProcess | undefined {
    return super.get(this.isPart(name) ? 'cowry' : name)
  }
}

/** Password of the owner of the stack's business, who is also an operator of the platform. */
export const demoPassword = 'quiet-harbour-lantern-7'

export const webhookSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

/** Retries, polls and leases as short as the tests can bear; no other settings differ from production. */
const quick = {
  LOG_LEVEL: 'debug',
  INDEXER_POLL_MS: '100',
  INDEXER_CROSS_CHECK_MS: '1000',
  INDEXER_BALANCES_MS: '500',
  RPC_TIMEOUT_MS: '5000',
  TXMGR_RECONCILE_MS: '100',
  TXMGR_BUMP_AFTER_MS: '1500',
  TXMGR_UNMINABLE_MS: '500',
  RELAY_POLL_MS: '250',
  RELAY_RETRY_MS: '1500',
  WORKER_STALLED_MS: '1000',
  WEBHOOK_TIMEOUT_MS: '5000',
  WEBHOOK_ALLOW_HOSTS: 'localhost,127.0.0.1,::1',
  SHUTDOWN_SECONDS: '10',
  VALIDATE_RESPONSES: 'enforce',
  POOL_TARGET: '400',
  POOL_LOW_WATER: '100',
  API_HOST: '127.0.0.1',
  ENVIRONMENT: 'test',
  RATE_LIMIT_BUSINESS: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  CAP_MONITORED_ADDRESSES: '10000000',
  CAP_OPEN_SESSIONS: '1000000',
  CAP_IMPORT_BLOCKS_PER_DAY: '10000000',
  CAP_REPLAYS_PER_DAY: '10000000',
  CAP_NODE_QUESTIONS_PER_DAY: '10000000',
  ZEROX_REQUESTS_PER_SECOND: '1000',
  CIRCLE_REQUESTS_PER_SECOND: '1000',
  BRIDGE_FIRST_QUESTION_SECONDS: '1',
  BRIDGE_POLL_SECONDS: '1',
  JUPITER_REQUESTS_PER_SECOND: '1000',
  CAP_ENDPOINTS_PER_HOST: '50',
  CAP_DELIVERIES_PER_HOST: '1000',
  PORT: '0',
  VERIFY_PORT: '0',
}

const { API_INTENT_PUBLIC_KEYS, WORKER_INTENT_PUBLIC_KEYS } = intentEnv
const publicIntentKeys = { API_INTENT_PUBLIC_KEYS, WORKER_INTENT_PUBLIC_KEYS }

/** Keys that one process alone has. */
const secretsOf: Partial<Record<ProgramName, Record<string, string>>> = {
  treasury: { SEED_KEY: seedKey },
  verification: { VERIFY_KEY: Buffer.alloc(32, 9).toString('base64') },
}

const stackStarted = channel('cowry.stack')

/** Of the partner's stand-in. */
export const partnerCredentials = { apiKey: 'yc-test-key', secretKey: 'yc-test-secret' }

/** Of the stand-ins of the swap providers. */
export const swapKeys = { zeroX: 'zerox-test-key', jupiter: 'jupiter-test-key' }

/** Circle's contracts on the devnets, and a stand-in for its service. */
async function startBridge(
  { bridge }: StackOptions,
  devnets: readonly EvmDevnet[],
  solana: OtherDevnets['solana'] | null,
): Promise<{ circle: CircleStandIn | null; bridgeEnv: Record<string, string> }> {
  // Without a stand-in, nothing leaves this machine.
  if (!bridge) return { circle: null, bridgeEnv: { CIRCLE_URL: 'http://127.0.0.1:9' } }
  const ofSolana = solana ? await startSolanaCctp(solana, devnets) : {}
  await startCctp(devnets, solana ? [solanaPeer(solana)] : [])
  const bridged = devnets.flatMap(({ chain, rpcUrl }) =>
    hasRoute(chain) ? [{ chain, domain: cctpDomains[chain], rpcUrl }] : [],
  )
  const circle = await startCircle([
    ...bridged,
    ...(solana ? [{ domain: cctpDomains.solana, rpcUrl: solana.rpcUrl }] : []),
  ])
  return {
    circle,
    bridgeEnv: Object.assign(
      { CIRCLE_URL: circle.url },
      ofSolana,
      ...bridged.map(({ chain }) => cctpEnv(chain)),
    ),
  }
}

/** A collector for a stack that is traced, and the settings of its processes. */
async function startTraced({ traced }: StackOptions): Promise<{
  collector: Collector | null
  tracing: Record<string, string>
  endTracing(): Promise<void>
}> {
  const collector = traced ? await startCollector() : null
  return {
    collector,
    tracing: collector ? tracingEnv(collector) : {},
    endTracing: async () => collector?.close(),
  }
}

export async function createStack(options: StackOptions = {}): Promise<Stack> {
  const begun = performance.now()
  const home = mkdtempSync(join(tmpdir(), 'cowry-stack-'))
  const chains = options.chains ?? ['ethereum']
  const [firstChain] = chains
  if (!firstChain) throw new Error('a stack needs a chain')
  const [database, redis, receiver, started, startedOthers] = await Promise.all([
    options.database ?? createTestDatabase(),
    startRedis({ home, durable: false, prefixes: ['cowry', 'control'] }),
    startReceiver(webhookSecret),
    Promise.all(
      chains.filter((chain) => !isOther(chain)).map((chain) => startEvmDevnet({ chain, blockSeconds: 0 })),
    ),
    Promise.all(chains.filter(isOther).map((chain) => startOther(chain))),
  ])
  const others = new Map<ChainName, { other: OtherDevnet; devnet: OtherDevnets[OtherChainName] }>(
    startedOthers.map((each) => [each.other.chain, each]),
  )
  const [firstEvm] = started
  const devnets = new Map<ChainName, EvmDevnet>(started.map((each) => [each.chain, each]))
  const nodes = new Map<ChainName, Node>(
    started.map((each) => [each.chain, { devnet: each, wallet: faucetOf(each), client: clientOf(each) }]),
  )
  const nodeOf = (chain: ChainName = firstChain): Node => {
    const node = nodes.get(chain)
    if (!node) throw new Error(`this stack has no ${chain}`)
    return node
  }
  const partner = await startYellowCard(partnerCredentials)
  const { collector, tracing, endTracing } = await startTraced(options)
  const { zeroX, jupiter } = await startSwapPartners(swapKeys, [
    ...started.map(({ chainId, usdc, usdt, decimals, settler, pool }) => ({
      chainId,
      stablecoins: [usdc, usdt],
      decimals,
      market: { settler, pool },
    })),
    ...startedOthers
      .filter(({ other }) => other.chain === 'solana')
      .map(({ other }) => ({
        chainId: null,
        stablecoins: [other.token('USDC'), other.token('USDT')],
        decimals: other.decimals,
      })),
  ])
  const solana = startedOthers.find(({ other }) => other.chain === 'solana')
  const { circle, bridgeEnv } = await startBridge(
    options,
    started,
    solana ? (solana.devnet as OtherDevnets['solana']) : null,
  )
  const { db } = database
  // A clone of the template has them.
  if (options.database) await applyGrants(db, testRoles)
  const passwords = createPasswords(createMetrics('stack'))
  const known = { businessId: null, apiKey: null, webhookSecret, password: demoPassword }
  const demo = await seedDemo({ db, appKey: new Secret(appKey), passwords }, known, receiver.url)
  const chainEnv: Record<string, string> = {}
  const startedAll = [
    ...started.map((each) => ({ ...each, env: devnetEnv(each) })),
    ...startedOthers.map(({ other }) => other),
  ]
  for (const each of startedAll) {
    const prefix = each.chain.toUpperCase()
    // Finality is read as often as a suite makes blocks.
    Object.assign(chainEnv, each.env, { [`${prefix}_START_BLOCK`]: '1', [`${prefix}_BLOCK_MS`]: '250' })
    if (options.rpcUrls)
      chainEnv[`${prefix}_RPC_URLS`] = (await options.rpcUrls(each.rpcUrl, each.chain)).join(',')
    if (!options.subscribe) delete chainEnv[`${prefix}_WS_URLS`]
    // A closed ledger of Stellar is final.
    if (!options.finalizedTag && each.chain !== 'stellar')
      chainEnv[`${prefix}_CONFIRMATIONS`] = String(options.confirmations ?? 2)
  }
  const env: Record<string, string> = {
    ...quick,
    // Each process by its own role: a missing right fails every suite that needs it.
    ...roleUrls(database.url),
    API_REDIS_URL: redis.urls.api,
    WORKER_REDIS_URL: redis.urls.worker,
    VERIFICATION_REDIS_URL: redis.urls.verification,
    APP_KEY: appKey,
    API_INTENT_KEY: intentEnv.API_INTENT_KEY,
    WORKER_INTENT_KEY: intentEnv.WORKER_INTENT_KEY,
    ...publicIntentKeys,
    // As under npm start: compiled sources are reused.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/cowry/compiled'),
    YELLOWCARD_URL: partner.url,
    YELLOWCARD_API_KEY: partnerCredentials.apiKey,
    YELLOWCARD_SECRET_KEY: partnerCredentials.secretKey,
    ZEROX_URL: zeroX.url,
    ZEROX_API_KEY: swapKeys.zeroX,
    JUPITER_URL: jupiter.url,
    JUPITER_API_KEY: swapKeys.jupiter,
    ...bridgeEnv,
    ...chainEnv,
    ...tracing,
    ...options.env,
  }
  const processes = new Processes()
  const logFile = join(home, 'processes.log')
  /** Chains that no indexer reads yet. */
  const pretended = new Set<ChainName>()
  const programOf = (name: ProcessName) => name.split('-')[0] as ProgramName
  const chainOf = (name: ProcessName) => (name.split('-')[1] ?? firstChain) as ChainName
  const launch = (
    name: ProcessName,
    more: Record<string, string> = {},
    { as = name, folder }: LaunchOptions = {},
  ) => {
    const program = programOf(name)
    const args = program === 'indexer' ? [chainOf(name)] : []
    const launched = startCowry(
      as,
      program,
      args,
      { ...env, ...secretsOf[program], ...more },
      logFile,
      folder,
    )
    processes.set(as, launched)
    return launched
  }
  const programNames =
    options.processes ?? (options.separate ? ['treasury', 'api', 'indexer', 'worker'] : ['treasury', 'cowry'])
  const furtherIndexers = programNames.includes('indexer')
    ? chains.slice(1).map((chain) => `indexer-${chain}` as const)
    : []

  const stack: Stack = {
    db,
    redis,
    chain: firstChain,
    get devnet() {
      if (!firstEvm) throw new Error('this stack has no EVM chain')
      return firstEvm
    },
    devnets,
    chains,
    other<C extends OtherChainName>(chain: C) {
      const found = others.get(chain)
      if (!found) throw new Error(`this stack has no ${chain}`)
      return found.devnet as OtherDevnets[C]
    },
    partner,
    zeroX,
    jupiter,
    circle: circle as CircleStandIn,
    receiver,
    collector,
    apiKey: demo.apiKey,
    businessId: demo.businessId,
    databaseUrl: database.url,
    processes,
    launch,
    async start(name, more, launchOptions) {
      if (programOf(name) === 'indexer' && pretended.delete(chainOf(name)))
        await forgetReading(db, chainOf(name))
      const launched = launch(name, more, launchOptions)
      await launched.ready()
      return launched
    },
    async stop(name) {
      if (processes.isPart(name))
        throw new Error(
          `${name} is a part of one process in this stack; createStack({ separate: true }) makes it a process`,
        )
      await processes.get(name)?.stop()
      processes.delete(name)
    },
    async api<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const port = processes.get('api')?.port()
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: {
          'x-api-key': demo.apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as T, headers: response.headers }
    },
    async createSession(body = {}) {
      const ask = () =>
        stack.api<SessionBody & { error?: string }>('POST', '/pos/sessions', {
          chain: firstChain,
          token: 'USDC',
          amount: '100',
          ...body,
        })
      // An indexer that a test has just started reads its first block in a moment.
      const answer = await waitFor('a chain that is read', async () => {
        const answered = await ask()
        return answered.body.error === 'chain_not_ready' ? null : answered
      })
      if (answer.status !== 201)
        throw new Error(`create-session answered ${answer.status}: ${JSON.stringify(answer.body)}`)
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
    async mine(blocks = 1, chain = firstChain) {
      const other = others.get(chain)?.other
      if (other) return other.mine(blocks)
      for (let i = 0; i < blocks; i++) await rpc(nodeOf(chain).devnet.rpcUrl, 'evm_mine', [])
    },
    async mineAt(time, chain = firstChain) {
      const other = others.get(chain)?.other
      if (other) return other.mine(1, Math.floor(time.getTime() / 1000))
      const { rpcUrl } = nodeOf(chain).devnet
      await rpc(rpcUrl, 'evm_setNextBlockTimestamp', [Math.floor(time.getTime() / 1000)])
      await rpc(rpcUrl, 'evm_mine', [])
    },
    async pay({ chain, address, memo, token, amountExpected }, amount = amountExpected) {
      const other = others.get(chain as ChainName)?.other
      if (other) return other.pay({ address, memo, token: other.token(token), amount })
      const { devnet } = nodeOf(chain as ChainName)
      const contract = (token === 'USDC' ? devnet.usdc : devnet.usdt) ?? ''
      return payOnEvm(devnet.chain, devnet, { address, token: contract, amount, decimals: devnet.decimals })
    },
    send: (to, amount, { chain, token = nodeOf(chain).devnet.usdc, gas = 120_000n } = {}) =>
      // A gas limit avoids the estimate, which runs on the last block and would refuse intended reverts.
      nodeOf(chain).wallet.writeContract({
        address: token,
        abi: parseAbi(['function transfer(address to, uint256 value)']),
        functionName: 'transfer',
        args: [to, amount],
        gas,
      }),
    sendNative: (to, amount, { chain } = {}) =>
      nodeOf(chain).wallet.sendTransaction({ to, value: amount, gas: 100_000n }),
    wallet: (chain) => nodeOf(chain).wallet,
    client: (chain) => nodeOf(chain).client,
    height: async (chain = firstChain) =>
      others.get(chain)?.other.height() ??
      Number(await nodeOf(chain).client.getBlockNumber({ cacheTime: 0 })),
    async caughtUp(withinMs, chain = firstChain) {
      const head = await stack.height(chain)
      await waitFor(
        `indexer of ${chain} at ${head}`,
        async () => {
          const [row] = await db.query<{ height: string }>(
            'select height from chain_cursors where chain = $1',
            [chain],
          )
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
            `select ((select count(*) from outbox) + (select count(*) from webhook_queue
               where next_attempt_at < now() + interval '4 s' or claimed_until > now()))::int as busy`,
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
      await Promise.all([
        database.drop(),
        redis.stop(),
        ...startedAll.map((each) => each.stop()),
        partner.close(),
        zeroX.close(),
        jupiter.close(),
      ])
      await circle?.close()
      await endTracing()
      const denied = existsSync(logFile)
        ? new Set(stack.logs().match(/permission denied for [\w ]+|NOPERM [^"]*/g))
        : new Set()
      rmSync(home, { recursive: true, force: true })
      // Keep this last: it fails if a body differed from the catalogue.
      await receiver.close()
      // Many failures are retried later, and would pass unnoticed.
      if (denied.size > 0)
        throw new Error(
          `a process lacks a right (migrations/grants.ts, src/platform/redis/redisUsers.ts): ${[...denied].join(', ')}`,
        )
    },
  }
  try {
    if (chains.includes('stellar') && programNames.includes('treasury')) await openStellar(stack, env)
    // Wallets are stored under a key that the treasury makes when it starts.
    if (!programNames.includes('treasury'))
      await openWalletKeys({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })
    const isRead = programNames.includes('indexer') || programNames.includes('cowry')
    if (!isRead) await pretendReading(stack, chains, pretended)
    await Promise.all(
      [...programNames, ...furtherIndexers]
        .filter((name) => !processes.has(name))
        .map((name) => stack.start(name)),
    )
    // Sessions are accepted from then on.
    if (isRead) await waitFor('the first block of each chain', () => areRead(db, chains))
  } catch (error) {
    await stack.close()
    throw error
  }
  stackStarted.publish({ ms: performance.now() - begun })
  return stack
}

const areRead = async (db: ModelDb, chains: readonly ChainName[]) =>
  (
    await db.query('select 1 from chain_cursors where height is not null and chain = any($1::text[])', [
      [...chains],
    ])
  ).length === chains.length

/** For stacks without an indexer: sessions are accepted only on a chain that is read. */
async function pretendReading(
  stack: Stack,
  chains: readonly ChainName[],
  pretended: Set<ChainName>,
): Promise<void> {
  for (const chain of chains) {
    await stack.db.query('insert into chain_cursors (chain, height) values ($1, $2)', [
      chain,
      await stack.height(chain),
    ])
    pretended.add(chain)
  }
}

/** Lets a starting indexer choose its own start. */
async function forgetReading(db: ModelDb, chain: ChainName): Promise<void> {
  await db.query("delete from chain_cursors where chain = $1 and epoch = 0 and covered = '{}'", [chain])
}

/**
 * Opens the platform's account before the indexer starts, so that its funding is not a payment. Operators use
 * `npm run cowry -- open-account`.
 */
async function openStellar(stack: Stack, env: Record<string, string>): Promise<void> {
  const devnet = stack.other('stellar')
  const [{ configuredChains }, { openPlatformAccount }, { openSeed }] = await Promise.all([
    import('../../src/chains/configuration.ts'),
    import('../../src/chains/stellar/openAccount.ts'),
    import('../../src/custody/seed.ts'),
  ])
  const chain = configuredChains(env).chains.find(({ name }) => name === 'stellar')
  if (!chain) throw new Error('the stack has no stellar')
  const seed = await openSeed({ db: stack.db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  const { account } = await openPlatformAccount(chain, seed.reveal())
  const funded = await fetch(`${devnet.friendbotUrl}?addr=${account}`)
  if (!funded.ok) throw new Error(`friendbot: ${funded.status} ${await funded.text()}`)
  let opened = false
  const mining = (async () => {
    while (!opened) {
      await devnet.control('mine')
      await pause(100)
    }
  })()
  const { missingReserve } = await openPlatformAccount(chain, seed.reveal()).finally(() => {
    opened = true
  })
  if (missingReserve !== null) throw new Error(`the account on Stellar lacks ${missingReserve} XLM`)
  await mining
  env.STELLAR_START_BLOCK = String(await stack.height('stellar'))
}
