import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import type { Finding } from '../../commands/doctor/finding.ts'
import { type CowryProcess, startCowry } from '../../scripts/local/cowryProcess.ts'
import { freePort } from '../../scripts/local/freePort.ts'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { queueNames } from '../../src/capabilities.ts'
import { redisRules } from '../../src/platform/redis/redisUsers.ts'
import { devnetEnv, type EvmDevnet, startEvmDevnet } from '../devnets/evm.ts'
import { type AwsKmsStandIn, kmsKeys, startAwsKms } from '../partners/awsKms.ts'
import { type SwapPartners, startSwapPartners } from '../partners/swapPartners.ts'
import { startYellowCard, type YellowCardStandIn } from '../partners/yellowcard.ts'
import { type CommandOutcome, runScript } from '../support/command.ts'
import { type ConnectProxy, startConnectProxy } from '../support/connectProxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startServer, type TestServer } from '../support/httpServer.ts'
import { startNodeInFront } from '../support/nodeInFront.ts'
import { type Pooler, startPooler } from '../support/pooler.ts'
import { type RecordedNode, startRecordedNode } from '../support/recordedNode.ts'
import { type MailServer, startMailServer } from '../support/smtpServer.ts'
import { roleUrls } from '../support/template.ts'

/**
 * A new deployment: `npm run cowry -- init` in an empty folder, then `npm run cowry -- doctor` before and after faults are
 * planted.
 */

interface Report {
  ok: boolean
  faults: number
  findings: Finding[]
}

const partnerKeys = { apiKey: 'yc-doctor-key', secretKey: 'yc-doctor-secret' }
const awsKeys = { accessKeyId: 'AKIADOCTOREXAMPLE', secretAccessKey: 'kms-doctor-secret/EXAMPLEKEY' }
const folder = mkdtempSync(join(tmpdir(), 'cowry-doctor-'))
const file = join(folder, 'new/.env')
let database: TestDatabase
let redis: LocalRedis
let devnet: EvmDevnet
let mail: MailServer
let partner: YellowCardStandIn
let swaps: SwapPartners
let kms: AwsKmsStandIn
let proxy: ConnectProxy
let recorded: RecordedNode
let pooler: Pooler
let api: CowryProcess
let made: CommandOutcome
const inFront: TestServer[] = []

const sets = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** The settings of a file, with these in their place. */
function changed(name: string, settings: Record<string, string>): string {
  const path = join(folder, name)
  const all = { ...(parseEnv(readFileSync(file, 'utf8')) as Record<string, string>), ...settings }
  writeFileSync(
    path,
    Object.entries(all)
      .map(([each, value]) => `${each}='${value}'\n`)
      .join(''),
    { mode: 0o600 },
  )
  return path
}

const doctor = (args: readonly string[]) => runScript('doctor', args)

async function reportOf(
  args: readonly string[],
): Promise<{ code: number | null; report: Report; out: string }> {
  const { code, out, err } = await doctor([...args, '--json'])
  if (!out.startsWith('{')) throw new Error(`no report: ${out}${err}`)
  return { code, report: JSON.parse(out) as Report, out }
}

const faultsOf = ({ findings }: Report) =>
  findings.filter(({ state }) => state !== 'ok' && state !== 'advice')

beforeAll(async () => {
  ;[database, redis, devnet, mail, partner, kms, proxy, recorded] = await Promise.all([
    createTestDatabase(),
    startRedis({ home: folder, durable: true }),
    startEvmDevnet({ chain: 'ethereum', blockSeconds: 1 }),
    startMailServer({ offersTls: false }),
    startYellowCard(partnerKeys),
    startAwsKms(awsKeys),
    startConnectProxy(),
    startRecordedNode('arbitrum'),
  ])
  pooler = await startPooler(database.url)
  swaps = await startSwapPartners({ zeroX: 'zerox-doctor-key', jupiter: 'jupiter-doctor-key' }, [
    { chainId: devnet.chainId, stablecoins: [devnet.usdc, devnet.usdt], decimals: devnet.decimals },
  ])
  // A deployment that never ran: the template has the seed of the tests.
  await database.db.query('delete from seeds')
  const port = await freePort()
  const { ETHEREUM_RPC_URLS: nodes, ...ofChain } = devnetEnv(devnet)
  made = await runScript('init', [
    ...['--folder', join(folder, 'new'), '--own', '--database-url', database.url, '--redis-url', redis.url],
    ...['--environment', 'test', '--base-url', `http://127.0.0.1:${port}`, '--nodes', `ethereum=${nodes}`],
    ...sets({
      ...ofChain,
      // All databases of a run share the roles.
      ...roleUrls(database.url),
      API_REDIS_URL: redis.urls.api,
      WORKER_REDIS_URL: redis.urls.worker,
      VERIFICATION_REDIS_URL: redis.urls.verification,
      PORT: String(port),
      API_HOST: '127.0.0.1',
      SMTP_URL: `smtp://localhost:${new URL(mail.url).port}?starttls=optional`,
      MAIL_FROM: 'pay@example.com',
      YELLOWCARD_URL: partner.url,
      YELLOWCARD_API_KEY: partnerKeys.apiKey,
      YELLOWCARD_SECRET_KEY: partnerKeys.secretKey,
      ZEROX_URL: swaps.zeroX.url,
      ZEROX_API_KEY: 'zerox-doctor-key',
    }),
  ])
})
afterAll(async () => {
  await api?.stop()
  const servers = [mail, partner, swaps?.zeroX, swaps?.jupiter, kms, proxy, recorded, ...inFront]
  await Promise.all([...servers.map((server) => server?.close()), devnet?.stop(), redis?.stop()])
  await pooler?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('init writes a file that only its owner can read, and names the next steps', () => {
  expect([made.code, made.err]).toEqual([0, ''])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(made.out).toContain('Keep a copy of SEED_KEY, APP_KEY and VERIFY_KEY apart')
  expect(made.out).toContain(`npm run cowry -- doctor --env ${file}`)
  // It prints no secret.
  for (const [name, value = ''] of Object.entries(parseEnv(readFileSync(file, 'utf8'))))
    if (/_KEY$/.test(name)) expect([name, made.out.includes(value)]).toEqual([name, false])
})

describe('doctor', () => {
  test('finds no fault in a deployment that works: with a real API, started with the file that init made', async () => {
    const env = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
    api = startCowry('api', 'api', [], { ...env, LOG_LEVEL: 'warn' }, join(folder, 'api.log'))
    await api.ready()
    const { code, report } = await reportOf(['--env', file])
    expect(faultsOf(report)).toEqual([])
    expect([code, report.ok, report.faults]).toEqual([0, true, 0])
    expect([...new Set(report.findings.map(({ area }) => area))]).toEqual([
      ...[
        'settings',
        'database',
        'redis',
        'nodes',
        'keys',
        'mail',
        'partners',
        'clock',
        'egress',
        'public URL',
      ],
    ])
  })

  test('names each of the planted faults with its cure, and no other', async () => {
    const skewed = { clockMs: 600_000 }
    const [polygon, bsc, base, arbitrum, otherSite, refusing] = await Promise.all([
      startNodeInFront(devnet.rpcUrl, {
        ...skewed,
        refuses: ({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === 'finalized',
      }),
      startNodeInFront(devnet.rpcUrl, { ...skewed, chainId: 56 }),
      startNodeInFront(devnet.rpcUrl, {
        ...skewed,
        refuses: ({ method, params }) =>
          method.startsWith('debug_') || (method === 'eth_getBalance' && params[1] !== 'latest'),
      }),
      startNodeInFront(recorded.url, skewed),
      startServer((response) => void response.writeHead(302, { location: 'https://example.com/' }).end()),
      freePort(),
    ])
    inFront.push(polygon, bsc, base, arbitrum, otherSite)
    const nothing = `127.0.0.1:${refusing}`
    const wrongPassword = (url: string) => Object.assign(new URL(url), { password: 'a-wrong-password' }).href
    const env = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
    const path = changed('faults.env', {
      WORKER_INTENT_KEY: '',
      API_CONNECTIONS: 'many',
      ETHEREUM_DAILY_LIMIT: 'USDC=100',
      VERIFY_KEY: env.APP_KEY ?? '',
      SEED_KEY: Buffer.alloc(32).toString('base64'),
      API_INTENT_PUBLIC_KEYS: randomBytes(32).toString('base64'),
      SEED_KEY_PROVIDER: 'aws-kms',
      KMS_KEY_ARN: kmsKeys[0],
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_ACCESS_KEY_ID: awsKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsKeys.secretAccessKey,
      DATABASE_DIRECT_URL: pooler.url,
      INDEXER_DATABASE_URL: wrongPassword(env.INDEXER_DATABASE_URL ?? ''),
      VERIFICATION_REDIS_URL: wrongPassword(redis.urls.verification),
      ETHEREUM_WS_URLS: `ws://${nothing}`,
      POLYGON_RPC_URLS: `${polygon.url},http://${nothing}/v2/the-key-of-this-node`,
      POLYGON_CHAIN_ID: '31337',
      BSC_RPC_URLS: bsc.url,
      BSC_CHAIN_ID: '97',
      BASE_RPC_URLS: base.url,
      BASE_CHAIN_ID: '31337',
      ARBITRUM_RPC_URLS: arbitrum.url,
      SMTP_URL: `smtp://localhost:${new URL(mail.url).port}`,
      YELLOWCARD_SECRET_KEY: 'another-secret-of-yc',
      ZEROX_API_KEY: 'another-key-of-zerox',
      CIRCLE_URL: `http://${nothing}`,
      SCREENING_URL: `http://${nothing}`,
      SCREENING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
      WEBHOOK_PROXY_URL: `http://doctor:proxy-password@127.0.0.1:${proxy.port}`,
      BASE_URL: `${otherSite.url}/pay`,
    })
    kms.mode = 'deny'
    proxy.status = 407
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    await admin.call('ACL', 'SETUSER', 'api', 'resetkeys', '~other:*')
    await database.db.query('revoke select on pos_sessions from cowry_worker')
    await database.db.query('grant select on seeds to cowry_api')
    await database.db.query('delete from migrations where name = (select max(name) from migrations)')
    await database.db.query('alter table audit_log add constraint audit_log_bound check (true)')
    const { code, report, out } = await reportOf(['--env', path])
    const text = (await doctor(['--env', path])).out
    await admin.config('SET', 'maxmemory-policy', 'noeviction')
    await admin.call('ACL', 'SETUSER', 'api', 'resetkeys', ...redisRules(queueNames).api)
    admin.disconnect()

    /** Code, whom it names, and parts of text and cure. */
    const planted: [code: string, of: string, text: string, cure: string][] = [
      ['setting_missing', 'worker', 'WORKER_INTENT_KEY is not set', 'npm run cowry -- intent-keys'],
      ['setting_wrong', 'api, verification', 'API_CONNECTIONS', '.env.example'],
      ['setting_unknown', 'ETHEREUM_DAILY_LIMIT', 'did you mean ETHEREUM_DAILY_LIMITS', 'Correct the name'],
      ['key_guessable', 'SEED_KEY', 'SEED_KEY is not random', 'openssl rand -base64 32'],
      ['key_shared', 'APP_KEY, VERIFY_KEY', 'are one key', 'a key for each'],
      ['intent_keys_differ', 'API_INTENT_KEY', 'lacks the public half', 'npm run cowry -- intent-keys api'],
      ['network_mixed', 'arbitrum', 'ENVIRONMENT is test, and arbitrum is the mainnet', 'ARBITRUM_CHAIN_ID'],
      [
        'database_pooler',
        'migrate, api, worker, treasury',
        'leads to a connection pooler',
        'the address of Postgres itself',
      ],
      ['database_password', 'indexer', 'refuses the password', 'INDEXER_DATABASE_URL'],
      ['database_rights', 'worker', 'select on pos_sessions', 'npm run cowry -- migrate'],
      ['database_excess', 'api', 'select on seeds', 'npm run cowry -- migrate'],
      [
        'not_migrated',
        'migrate, api, worker, treasury, verification',
        'migrations have not run yet',
        'npm run cowry -- migrate',
      ],
      [
        'upgrade_half_done',
        'migrate, api, worker, treasury, verification',
        'stopped between two steps',
        'npm run cowry -- migrate',
      ],
      ['redis_evicts', 'api, worker', 'allkeys-lru', 'maxmemory-policy noeviction'],
      ['redis_rights', 'api', 'cowry:limit:', 'ACL SETUSER'],
      ['redis_password', 'verification', 'refuses the user or its password', 'VERIFICATION_REDIS_URL'],
      ['node_websocket', `ethereum: ${nothing}`, 'takes no WebSocket', 'ETHEREUM_WS_URLS'],
      [
        'node_finality',
        `polygon: ${new URL(polygon.url).host}`,
        'does not say which blocks are finalized',
        'POLYGON_FINALIZED_BY_DEPTH',
      ],
      ['node_unreachable', `polygon: ${nothing}`, 'ECONNREFUSED', 'POLYGON_RPC_URLS'],
      [
        'node_wrong_chain',
        `bsc: ${new URL(bsc.url).host}`,
        'is a node of chain id 0x38, expected 97',
        'BSC_RPC_URLS',
      ],
      ['node_state', `base: ${new URL(base.url).host}`, 'offers no traces', 'debug_traceBlockByHash'],
      ['node_state', `arbitrum: ${new URL(arbitrum.url).host}`, 'offers no traces', 'last 128 blocks'],
      ['node_behind', `arbitrum: ${new URL(arbitrum.url).host}`, 's old', 'caught up'],
      ['kms', 'treasury', 'allow kms:Encrypt and kms:Decrypt', 'KMS_KEY_ARN'],
      ['mail_tls', 'worker', 'no STARTTLS', 'smtps://'],
      ['partner_key', 'Yellow Card', 'answered 401', 'YELLOWCARD_SECRET_KEY'],
      ['swap_key', '0x', 'answered 401', 'ZEROX_API_KEY'],
      ['circle_unreachable', 'Circle', 'did not answer', 'CIRCLE_URL'],
      ['screening_unreachable', 'screening', 'nothing answers', 'Payouts wait'],
      ['clock_wrong', 'this machine', 'behind', 'NTP'],
      ['egress_open', 'worker', 'Postgres and Redis', 'your own receivers'],
      ['egress_proxy_login', 'worker', 'answered 407', 'WEBHOOK_PROXY_URL'],
      ['url_path', 'api', 'BASE_URL has a path', 'Remove it'],
      ['url_redirects', 'api', 'redirects', 'Set BASE_URL'],
    ]
    expect(planted.length).toBeGreaterThanOrEqual(20)
    const found = faultsOf(report)
    expect(found.map((each) => [each.code, each.of]).sort()).toEqual(
      planted.map(([each, of]) => [each, of]).sort(),
    )
    for (const [each, of, words, cure] of planted)
      expect(found.find((finding) => finding.code === each && finding.of === of)).toMatchObject({
        text: expect.stringContaining(words),
        cure: expect.stringContaining(cure),
      })
    expect([code, report.ok, report.faults]).toEqual([1, false, planted.length])

    // For people: each fault with its cure on the next line.
    const still = (of: string) => of.replace(/\d+ s /g, 'some s ')
    for (const { text: said, cure } of found)
      expect(still(text)).toContain(still(`${said}\n             → ${cure}`))
    const secrets = [
      'proxy-password',
      'a-wrong-password',
      'the-key-of-this-node',
      'another-secret-of-yc',
      'another-key-of-zerox',
      'of-the-tests',
    ]
    secrets.push(
      ...Object.entries(env).flatMap(([name, value]) => (/_KEY$|SECRET/.test(name) && value ? [value] : [])),
    )
    secrets.push(awsKeys.secretAccessKey, ...Object.values(redis.urls).map((url) => new URL(url).password))
    for (const secret of secrets)
      expect([secret, out.includes(secret) || text.includes(secret)]).toEqual([secret, false])
  })

  test('blanks a secret that a server repeats in its refusal', async () => {
    // As Redis refuses a command that it does not have.
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on(
        'data',
        () =>
          void socket.write(
            "-ERR unknown command 'auth', with args beginning with: 'verification' 'a-repeated-password'\r\n",
          ),
      )
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const path = changed('repeats.env', {
      VERIFICATION_REDIS_URL: `redis://verification:a-repeated-password@127.0.0.1:${port}`,
    })
    const { report, out } = await reportOf(['verification', '--env', path])
    await new Promise((resolve) => server.close(resolve))
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: 'redis_unreachable',
        text: expect.stringMatching(/unknown command 'auth'.*\[redacted\]/),
      }),
    )
    expect(out).not.toContain('a-repeated-password')
  })

  test('names a key that did not seal what the database holds', async () => {
    // The api that ran above sealed a key of requests with APP_KEY.
    const path = changed('other-keys.env', { APP_KEY: randomBytes(32).toString('base64') })
    const { code, report } = await reportOf(['api', '--env', path])
    expect([code, faultsOf(report).map(({ code: each }) => each)]).toEqual([
      1,
      expect.arrayContaining(['app_key_wrong']),
    ])
  })

  test('warns where a treasury, examined alone, can reach a node', async () => {
    const { report } = await reportOf(['treasury', '--env', file])
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'egress_treasury', state: 'advice' }),
    )
  })

  test.each([
    [['--env', '/nowhere/.env'], '--env: /nowhere/.env cannot be read (ENOENT)'],
    [['bank'], 'Usage: cowry doctor'],
    [['--what'], 'Usage: cowry doctor'],
  ])('that cannot run ends with 2: %j', async (args, said) => {
    const { code, err } = await doctor(args)
    expect([code, err]).toEqual([2, expect.stringContaining(said)])
  })
})
