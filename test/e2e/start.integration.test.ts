import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { freePort } from '../../scripts/local/freePort.ts'
import { isAlive } from '../../scripts/local/isAlive.ts'
import { endOf } from '../../scripts/local/service.ts'
import { full } from '../support/full.ts'
import { family, interrupt, type NpmStart, newHome, npmStart } from '../support/npmStart.ts'

const root = join(import.meta.dirname, '../..')
const nine = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism', 'solana', 'tron', 'stellar']
const homes: string[] = []
const running: NpmStart[] = []

interface Dev {
  apiUrl: string
  dashboardUrl: string
  email: string
  password: string
  apiKey: string
  metricsUrls: string[]
  businessId: string
  databaseUrl: string
  redisUrl: string
  webhook: { url: string; secret: string }
  chains: Record<
    string,
    {
      rpcUrl: string
      wsUrl?: string
      faucetPrivateKey: string
      usdc?: string
      usdt?: string
      decimals: number
    }
  >
}

afterAll(async () => {
  await Promise.all(running.map(interrupt))
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

function home(): string {
  const made = newHome()
  homes.push(made)
  return made
}

async function start(home: string, port: number): Promise<NpmStart> {
  const run = await npmStart(home, port)
  running.push(run)
  return run
}

const devOf = (home: string) => JSON.parse(readFileSync(join(home, 'dev.json'), 'utf8')) as Dev
/** Without settings. */
const bare = { PATH: process.env.PATH, HOME: process.env.HOME }
/** @returns the timeline that it prints */
const demo = async (home: string, ...chains: string[]): Promise<string> => {
  const env = { ...process.env, COWRY_HOME: home, NODE_OPTIONS: '' }
  return (
    await promisify(execFile)('npm', ['run', '--silent', 'demo', '--', '--until', 'paid', ...chains], {
      cwd: root,
      encoding: 'utf8',
      env,
    })
  ).stdout
}

test('two starts run side by side; each takes a payment; the next start resumes after a kill; Ctrl-C leaves no process', async () => {
  const [homeA, homeB] = [home(), home()]
  const [a, b] = await Promise.all([start(homeA, await freePort()), start(homeB, await freePort())])
  const dev = devOf(homeA)
  expect(dev).toMatchObject({
    apiUrl: `http://127.0.0.1:${a.port}/api/v1`,
    dashboardUrl: `http://localhost:${a.port}/dashboard`,
    apiKey: expect.stringMatching(/^ak_test_[0-9A-Za-z]{36}$/),
    businessId: expect.any(String),
  })
  const page = await fetch(dev.dashboardUrl)
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    expect.stringContaining('text/html'),
    expect.stringContaining('<title>'),
  ])
  const login = await fetch(`${dev.apiUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: dev.email, password: dev.password }),
  })
  const signedIn = (await login.json()) as { accessToken: string }
  expect(signedIn).toMatchObject({ tokenType: 'Bearer', account: { email: dev.email } })
  // BASE_URL is no IP address, which would have no passkeys.
  expect(decodeJwt(signedIn.accessToken).iss).toBe(`http://localhost:${a.port}`)
  expect(dev.metricsUrls).toHaveLength(2)
  for (const url of dev.metricsUrls) expect(await (await fetch(url)).text()).toContain('cowry_')
  expect(dev.webhook.secret).toMatch(/^whsec_/)
  expect(Object.keys(dev.chains)).toEqual(nine)
  expect(dev.chains).toMatchObject({
    ethereum: { decimals: 6, chainId: 31337 },
    bsc: { decimals: 18 },
    polygon: { usdt: expect.any(String) },
  })
  expect(dev.chains).toMatchObject({
    solana: { wsUrl: expect.stringMatching(/^ws:/), usdc: expect.any(String), decimals: 6 },
    tron: { usdt: expect.stringMatching(/^T/), decimals: 6 },
    stellar: {
      horizonUrl: expect.stringMatching(/^http:/),
      networkPassphrase: expect.any(String),
      usdc: expect.stringMatching(/^USDC:G/),
      decimals: 7,
    },
  })
  expect(dev.chains.base).not.toHaveProperty('usdt')
  expect(dev.chains.tron).not.toHaveProperty('usdc')
  expect(devOf(homeB).databaseUrl).not.toBe(dev.databaseUrl)

  const [timeline, ofB] = await Promise.all([demo(homeA), demo(homeB, 'base')])
  for (const line of [
    'session.created',
    'transaction.detected',
    'transaction.confirmed',
    'session.paid',
    'the API reports: paid',
  ])
    expect([line, timeline.split(line).length - 1]).toEqual([line, nine.length])
  for (const chain of nine) expect(timeline).toMatch(new RegExp(`^${chain}$`, 'm'))
  expect(ofB).toContain('the API reports: paid')
  const id = /session ([0-9a-f-]{36})/.exec(timeline)?.[1]

  // What the operator's commands need is in one file.
  const settings = join(homeA, 'commands.env')
  expect(statSync(settings).mode & 0o777).toBe(0o600)
  const command = (line: string) =>
    promisify(execFile)('sh', ['-c', `set -a; . '${settings}'; set +a; npm run --silent cowry -- ${line}`], {
      cwd: root,
      encoding: 'utf8',
      env: bare,
    })
  expect((await command('reconcile ethereum')).stdout).toMatch(/^ethereum: \d+ addresses, no differences$/m)
  expect((await command('ledger close')).stdout).toMatch(
    /^ {2}ethereum: check \d+ at \S+ as of block \d+, no differences$/m,
  )
  expect((await command('custody roll-seed-key')).stdout).toContain('every row is sealed with it')
  const release = command('staking retry 00000000-0000-7000-8000-000000000000 --evidence none')
  await expect(release).rejects.toThrow('there is no stake')
  const secrets = readFileSync(settings, 'utf8').match(/(?<=_KEY=')[^']+/g) ?? []
  expect(secrets.length).toBeGreaterThanOrEqual(2)
  for (const secret of secrets) expect(a.output()).not.toContain(secret)

  const processes = family(a.child.pid ?? 0)
  for (const part of [
    'postgres',
    'redis-server',
    'anvil',
    'solana/main.ts',
    'tron/main.ts',
    'stellar/main.ts',
    'cowry.ts run all',
    'cowry.ts run treasury',
  ]) {
    expect(processes.some(({ args }) => args.includes(part))).toBe(true)
  }
  await kill(a)
  expect((await fetch(`http://127.0.0.1:${b.port}/health/ready`)).status).toBe(200)

  const again = await start(homeA, a.port)
  const expectResumed = async () => {
    expect(devOf(homeA).apiKey).toBe(dev.apiKey)
    const session = await fetch(`${devOf(homeA).apiUrl}/pos/sessions/${id}`, {
      headers: { 'x-api-key': dev.apiKey },
    })
    expect(await session.json()).toMatchObject({ status: expect.stringMatching(/^paid(_out)?$/) })
  }
  await expectResumed()
  const payments = demo(homeA, 'ethereum', 'stellar')
  const second = spawn('npm', ['start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, COWRY_HOME: homeA, PORT: '0', NODE_OPTIONS: '' },
  })
  let refusal = ''
  for (const stream of [second.stdout, second.stderr])
    stream?.on('data', (chunk: Buffer) => {
      refusal += chunk.toString()
    })
  await endOf(second)
  expect(refusal).toContain('another npm start')
  expect((await payments).split('the API reports: paid')).toHaveLength(3)
  expect((await fetch(`http://127.0.0.1:${again.port}/health/ready`)).status).toBe(200)

  await expectInterrupted(again)
  expect((await fetch(`http://127.0.0.1:${b.port}/health/ready`)).status).toBe(200)
  await expectInterrupted(b)
  if (!full) return
  const last = await start(homeA, a.port)
  await expectResumed()
  await expectInterrupted(last)
}, 1_200_000)

/** Ctrl-C leaves no process. */
async function expectInterrupted(run: NpmStart): Promise<void> {
  const processes = family(run.child.pid ?? 0)
  await interrupt(run)
  expect(run.output()).toContain('Stopped.')
  expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([])
  expect(existsSync(join(run.home, 'start.pid'))).toBe(false)
}

/** Kills a start: the process above it ends what it had started. */
async function kill({ child }: NpmStart): Promise<void> {
  const processes = family(child.pid ?? 0)
  const starter = processes.find(({ args }) => args.includes('scripts/dev/start.ts'))
  const ended = endOf(child)
  process.kill(starter?.pid ?? 0, 'SIGKILL')
  await ended
  expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([])
}
