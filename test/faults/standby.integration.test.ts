import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import type { Failpoint } from '../../src/platform/failpoints.ts'
import { pause } from '../../src/platform/wait.ts'
import { full, howMany } from '../support/full.ts'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { seeded } from './random.ts'

const kills = howMany(3, 60)
const maxTakeoverMs = 10_000
const blockMs = 200

let stack: Stack
let started = 0
const scratch = mkdtempSync(join(tmpdir(), 'cowry-standby-'))

beforeAll(async () => {
  stack = await createStack({
    confirmations: 2,
    // The long form uses more addresses than the template has.
    processes: full ? ['treasury', 'api', 'worker'] : ['api', 'worker'],
    env: { POOL_TARGET: '900', POOL_LOW_WATER: '800' },
  })
  await startIndexer()
  await waitForLeader()
})
afterAll(async () => {
  // A frozen process reacts only to SIGCONT and SIGKILL.
  for (const each of stack?.processes.values() ?? []) each.kill('SIGCONT')
  await stack?.close()
  rmSync(scratch, { recursive: true })
})

/** Node option that writes the exit code of a process to a file. */
const writeExitCode = (file: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`import{writeFileSync}from'node:fs';process.on('exit',(code)=>writeFileSync(${JSON.stringify(file)},String(code)))`)}`

interface Indexer {
  process: CowryProcess
  exitCode(): number | null
}

function launchIndexer(env: Record<string, string> = {}): Indexer {
  const as = `indexer ${++started}`
  const file = join(scratch, as.replace(' ', '-'))
  return {
    process: stack.launch('indexer', { NODE_OPTIONS: writeExitCode(file), ...env }, { as }),
    exitCode: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : null),
  }
}

async function startIndexer(env?: Record<string, string>): Promise<Indexer> {
  const indexer = launchIndexer(env)
  await indexer.process.ready()
  return indexer
}

const isLeader = (of: CowryProcess) => metric(of, 'cowry_indexer_leader').then((value) => value === 1)
const indexers = () =>
  [...stack.processes.values()].filter(({ name, running }) => name.startsWith('indexer') && running())
const waitForLeader = (among = indexers()) =>
  waitFor('a leader', async () => {
    for (const each of among) if (await isLeader(each)) return each
    return null
  })

const cursor = async () => {
  const [row] = await stack.db.query<{ height: number; epoch: number }>(
    'select height::int, epoch::int from chain_cursors',
  )
  return row ?? { height: 0, epoch: 0 }
}

let endStream = () => {}
afterEach(() => endStream())

/** Pays once per block, five blocks a second, until `end`. */
function streamPayments(): { sessions: SessionBody[]; end(): Promise<void> } {
  const ending = new AbortController()
  endStream = () => ending.abort()
  const sessions: SessionBody[] = []
  const running = (async () => {
    while (!ending.signal.aborted) {
      const session = await stack.createSession({ amount: '5' })
      await stack.send(session.address, 5_000_000n)
      await stack.mine()
      sessions.push(session)
      await pause(blockMs, ending.signal)
    }
  })()
  return {
    sessions,
    async end() {
      ending.abort()
      await running
    },
  }
}

/**
 * Waits until one of these processes leads and has committed a block. @returns the milliseconds since
 * `since`, and the leader
 */
async function takeover(
  among: readonly CowryProcess[],
  since: number,
): Promise<{ ms: number; leader: CowryProcess }> {
  const leader = await waitFor('a block of the next leader', async () => {
    for (const each of among) if ((await metric(each, 'cowry_blocks_total')) > 0) return each
    return null
  })
  return { ms: performance.now() - since, leader }
}

function distribution(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return `${sorted.length} takeovers: min ${sorted[0]} ms, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${sorted.at(-1)} ms`
}
const print = (text: string) => void process.stderr.write(`${text}\n`)

async function expectEachPaidOnce(sessions: readonly SessionBody[]): Promise<void> {
  await stack.mine(2)
  for (const { id } of sessions) await stack.sessionIs(id, 'paid')
  await stack.idle(60_000)
  await expectNothingLeftOver(stack)
  const effects = await effectsOn(
    stack,
    sessions.map(({ id }) => id),
  )
  expect(effects.size).toBe(sessions.length)
  for (const effect of effects.values())
    expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
}

async function expectNoGap(): Promise<void> {
  await stack.caughtUp()
  const head = await stack.height()
  expect(await stack.db.query('select covered::text from chain_cursors')).toEqual([
    { covered: `{[1,${head + 1})}` },
  ])
  const [blocks] = await stack.db.query(
    'select count(*)::int as rows, count(distinct height)::int as heights, min(height)::int as min, max(height)::int as max from blocks where canonical',
  )
  expect(blocks).toEqual({ rows: head, heights: head, min: 1, max: head })
  const [chained] = await stack.db.query(
    'select count(*)::int as broken from blocks b join blocks p on p.height = b.height - 1 and p.canonical where b.canonical and b.parent_id <> p.id',
  )
  expect(chained).toEqual({ broken: 0 })
}

test('a standby is ready, loads existing and new watches, and writes nothing', async () => {
  const before = await cursor()
  const { process: standby } = await startIndexer()
  const watches = async () =>
    (await stack.db.query<{ count: number }>("select count(*)::int from watches where family = 'evm'"))[0]
      ?.count ?? -1
  await stack.createSession()
  await stack.createSession()
  await waitFor(
    'the new watches',
    async () => (await metric(standby, 'cowry_watched_addresses')) === (await watches()),
  )
  expect(await watches()).toBeGreaterThanOrEqual(2)
  expect((await fetch(standby.metricsUrl().replace('/metrics', '/health/ready'))).status).toBe(200)
  await stack.mine(2)
  await stack.caughtUp()
  expect(await isLeader(standby)).toBe(false)
  expect(await metric(standby, 'cowry_blocks_total')).toBe(0)
  expect((await cursor()).epoch).toBe(before.epoch)
})

test(`the leader is killed ${kills} times during a stream of payments: the standby takes over within ten seconds, without gaps or duplicates`, async () => {
  const random = seeded(20_261_120)
  const stream = streamPayments()
  const times: number[] = []
  let leader = await waitForLeader()
  for (let kill = 0; kill < kills; kill++) {
    // At a random moment within a block interval.
    const { height } = await cursor()
    await waitFor('the next block', async () => (await cursor()).height > height)
    await pause(random() * blockMs)
    const { epoch } = await cursor()
    const since = performance.now()
    leader.kill('SIGKILL')
    await leader.ended
    stack.processes.delete(leader.name)
    const { ms, leader: successor } = await takeover(indexers(), since)
    times.push(ms)
    expect((await cursor()).epoch).toBe(epoch + 1)
    leader = successor
    // Not earlier: it might win the lead before the standby.
    await startIndexer()
  }
  await stream.end()
  print(`killed: ${distribution(times)}`)
  expect(times).toHaveLength(kills)
  expect(Math.max(...times)).toBeLessThan(maxTakeoverMs)
  await expectEachPaidOnce(stream.sessions)
  await expectNoGap()
}, 300_000)

/** State of every row that an indexer writes, with its last transaction. */
async function written(): Promise<unknown> {
  const tables = ['chain_cursors', 'blocks', 'transfers', 'detections', 'outbox']
  return Promise.all([
    stack.db.query('select to_jsonb(c) as cursor from chain_cursors c'),
    ...tables.map((table) =>
      stack.db.query(
        `select count(*)::int as rows, md5(string_agg(ctid || ' ' || xmin, ',' order by ctid)) as versions from ${table}`,
      ),
    ),
  ])
}

/** Postgres still runs the last statement of a killed process. */
const noStatementRuns = () =>
  waitFor('no running statement', async () => {
    const active = await stack.db.query(
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active'",
    )
    return active.length === 0
  })

const places: { name: string; at: Failpoint | null }[] = [
  { name: 'inside the transaction of a block', at: 'indexer.cursor-moved' },
  { name: 'right after a commit', at: 'indexer.block-committed' },
  { name: 'when it has just won the lead', at: 'indexer.leader-elected' },
  { name: 'at a random moment', at: null },
]
const frozenTimes: number[] = []

/** Paid while no indexer runs: the next ones detect it. */
let undetected: SessionBody[] = []
async function payUndetected(): Promise<void> {
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine()
  undetected.push(session)
}

test.each(places)(
  'a leader that is frozen $name is replaced as fast, and writes nothing when it resumes',
  async ({ at }) => {
    const random = seeded(frozenTimes.length)
    // Stop all indexers, so that the next leader is known.
    for (const { name } of indexers()) await stack.stop(name)
    // With a failpoint, it freezes at the first block to commit.
    await payUndetected()
    const proof = join(scratch, `frozen-${frozenTimes.length}`)
    const old = launchIndexer(
      at ? { COWRY_FAILPOINT: at, COWRY_FAILPOINT_SIGNAL: 'SIGSTOP', COWRY_FAILPOINT_PROOF: proof } : {},
    )
    if (at) await waitFor('the freeze', async () => existsSync(proof))
    else await waitForLeader([old.process])
    const { process: standby } = await startIndexer()
    const stream = streamPayments()
    if (!at) {
      await waitFor('some payments', async () => stream.sessions.length > 2)
      await pause(random() * blockMs)
      old.process.kill('SIGSTOP')
    }
    const since = performance.now()
    frozenTimes.push((await takeover([standby], since)).ms)
    expect(frozenTimes.at(-1)).toBeLessThan(maxTakeoverMs)
    expect(await isLeader(standby)).toBe(true)
    await stream.end()
    await expectEachPaidOnce([...stream.sessions, ...undetected])
    await expectNoGap()

    // The new leader is gone when the old one resumes with a block to write: only the fence stops it.
    standby.kill('SIGKILL')
    await standby.ended
    stack.processes.delete(standby.name)
    undetected = []
    await payUndetected()
    await noStatementRuns()
    const before = await written()
    old.process.kill('SIGCONT')
    await waitFor('its end', async () => !old.process.running())
    expect(old.exitCode()).toBe(1)
    expect(await written()).toEqual(before)
    stack.processes.delete(old.process.name)
  },
)

test('a frozen leader that resumes next to its successor ends, and the successor is not disturbed', async () => {
  const { process: leader } = await startIndexer()
  await waitForLeader([leader])
  const { process: standby } = await startIndexer()
  const stream = streamPayments()
  await waitFor('some payments', async () => stream.sessions.length > 2)
  leader.kill('SIGSTOP')
  frozenTimes.push((await takeover([standby], performance.now())).ms)
  const { epoch } = await cursor()
  leader.kill('SIGCONT')
  await waitFor('its end', async () => !leader.running())
  stack.processes.delete(leader.name)
  const { height } = await cursor()
  await waitFor('more blocks', async () => (await cursor()).height > height + 3)
  expect([(await cursor()).epoch, await isLeader(standby)]).toEqual([epoch, true])
  await stream.end()
  await expectEachPaidOnce([...stream.sessions, ...undetected])
  await expectNoGap()
  print(`frozen: ${distribution(frozenTimes)}`)
  expect(Math.max(...frozenTimes)).toBeLessThan(maxTakeoverMs)
})
