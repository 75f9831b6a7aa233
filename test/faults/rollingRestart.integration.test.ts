import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { migrationNames } from '../../migrations/migrated.ts'
import { createMigrator, type Migration } from '../../migrations/migrator.ts'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { cowryProgram, nodeArgumentsIn } from '../../scripts/local/nodeArguments.ts'
import { releaseFacts, releaseFiles, unpackRelease } from '../../scripts/release/programs.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { createTestDatabase } from '../support/database.ts'
import { full } from '../support/full.ts'
import { createStack, type ProcessName, type Stack } from '../support/stack.ts'
import { roleUrls } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { type RollingLoad, startRollingLoad } from './rollingLoad.ts'
import { type RollingVerifications, startRollingVerifications } from './rollingVerifications.ts'

// The release before runs under load; its database is migrated, and its processes are restarted one by one as
// those of this version, in the order of docs/upgrades.md. In the long form they go back, too.

const release = releaseFacts()
const root = join(import.meta.dirname, '../..')
const later = migrationNames.filter((name) => !release.steps.includes(name))
/** As in docs/upgrades.md: what others write for a process comes after it. */
const order: readonly (readonly [ProcessName, string])[] = [
  ['treasury', 'treasury'],
  ['worker', 'worker'],
  ['worker', 'worker-2'],
  ['indexer', 'indexer'],
  ['api', 'api'],
  ['api', 'api-2'],
  ['verification', 'verification'],
]

let home: string
let stack: Stack
let balancer: Balancer
let load: RollingLoad
let verifications: RollingVerifications
/** The running process of each place. */
const places = new Map<string, CowryProcess>()

/** `npm run cowry -- migrate` of a version. */
async function migrate(folder: string): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: stack.databaseUrl,
    ...roleUrls(stack.databaseUrl),
  }
  // A release before the command `cowry` has a program of its own.
  const ownProgram = existsSync(join(folder, 'migrations/main.ts'))
  const words = ownProgram ? ['migrations/main.ts'] : [cowryProgram, 'migrate']
  const args = [...nodeArgumentsIn(folder), ...words]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
  return stdout
}

const releaseFolder = () => join(home, 'release')

/**
 * Starts a process of a version, and takes the one before from its place. Each of the old ones ends by
 * itself, with 0. The verification host ends before the next one starts: only one may have its volume.
 */
async function restart(program: ProcessName, place: string, version: 'before' | 'now'): Promise<void> {
  const last = places.get(place)
  const end = async (ending: CowryProcess) => {
    ending.kill('SIGTERM')
    await ending.ended
    expect([ending.name, ending.exitCode()]).toEqual([ending.name, 0])
  }
  if (last && program === 'verification') await end(last)
  const options = {
    as: `${place} ${version} ${started++}`,
    ...(version === 'before' && { folder: releaseFolder() }),
  }
  const env = { API_DRAIN_SECONDS: '3', VERIFY_UPLOADS: join(home, 'uploads') }
  const next = await stack.start(program, env, options)
  if (program === 'api') balancer.add(next)
  places.set(place, next)
  if (!last || program === 'verification') return
  if (program === 'api')
    await waitFor('requests to the new process', async () => (balancer.answered.get(next.name) ?? 0) > 0)
  if (program === 'worker') jobs.set(last.name, await jobsOf(last))
  await (program === 'api' ? load.denselyDuring(() => end(last)) : end(last))
  balancer.remove(last)
}
let started = 0

/** Jobs of each worker that was stopped, by its name. */
const jobs = new Map<string, number>()
const jobsOf = (worker: CowryProcess) => metric(worker, 'cowry_jobs_total', 'outcome="completed"')

beforeAll(async () => {
  const steps = await Promise.all(
    later.map(async (name) => [name, (await import(`${root}/migrations/${name}.ts`)) as Migration] as const),
  )
  const breaking = steps.filter(([, { expands }]) => expands !== true).map(([name]) => name)
  if (breaking.length > 0)
    throw new Error(
      `the recorded release (${release.commit.slice(0, 8)}, ${release.steps.at(-1)}) cannot run on this schema: ${breaking.join(', ')} does not only expand. Let it expand, or, if this version needs a stop, note it in docs/changelog.md and record a release after it: npm run cowry -- dev record-release (docs/versioning.md)`,
    )
  home = mkdtempSync(join(tmpdir(), 'cowry-rolling-'))
  mkdirSync(join(home, 'uploads'))
  unpackRelease(releaseFiles(), releaseFolder())
  const database = await createTestDatabase()
  stack = await createStack({ database, processes: [] })
  const [first] = later
  // Takes back steps of the release, too, where they have higher numbers; the release takes them again.
  if (first) await createMigrator(stack.db).down({ to: first })
  await migrate(releaseFolder())
  const taken = (await stack.db.query<{ name: string }>('select name from migrations order by name')).map(
    ({ name }) => name,
  )
  if (taken.join() !== release.steps.join())
    throw new Error(`the release has other steps than its record has: ${taken.join(', ')}`)
  balancer = await startBalancer()
  await Promise.all(order.map(([program, place]) => restart(program, place, 'before')))
  await waitFor(
    'the first block',
    async () => (await stack.db.query('select 1 from chain_cursors where height is not null')).length > 0,
  )
  await waitFor('two ready processes', async () => (await fetch(`${balancer.url}/health/ready`)).ok)
  balancer.lost.length = 0
  load = await startRollingLoad(stack, balancer.url)
  verifications = await startRollingVerifications(stack, () => places.get('verification')?.verifyPort())
}, 180_000)
afterAll(async () => {
  await verifications?.finish().catch(() => {})
  await load?.finish().catch(() => {})
  await balancer?.close()
  await stack?.close()
  rmSync(home, { recursive: true, force: true })
})

const goesOn = async () => void (await Promise.all([load.goesOn(), verifications.goesOn()]))

test('the release before works under load, and goes on while its database is migrated', async () => {
  await goesOn()
  const out = await migrate(root)
  expect(out.match(/(?<=^done {2})\S+/gm) ?? []).toEqual(later)
  await goesOn()
})

test('its processes are restarted one by one as this version: requests and work go on in every mixture of the two', async () => {
  for (const [program, place] of order) {
    await restart(program, place, 'now')
    await goesOn()
  }
}, 300_000)

if (full)
  test('and back, while the database stays as it is', async () => {
    for (const [program, place] of [...order].reverse()) {
      await restart(program, place, 'before')
      await goesOn()
    }
    expect(await migrate(releaseFolder())).toMatch(
      later.length > 0 ? 'a later version has added steps' : 'nothing to migrate',
    )
    await goesOn()
  }, 300_000)

test('no request was lost or refused, and nothing was done twice: each payment is credited once, each transfer and payout left once, each event came once, each verification was charged once', async () => {
  await verifications.finish()
  await load.finish()
  expect([balancer.lost, load.failures, verifications.failures]).toEqual([[], [], []])
  expect(load.sessions.length).toBeGreaterThan(20)
  await load.expectOnce()
  await verifications.expectOnce()
  expect(stack.logs()).not.toContain('did not stop in time')
})

test('each version did work: requests, and jobs of the queues that they share', async () => {
  const answered = [...balancer.answered]
    .filter(([, count]) => count > 5)
    .map(([name]) => name.replace(/ \d+$/, ''))
  for (const place of ['api', 'api-2'])
    expect(answered).toEqual(expect.arrayContaining([`${place} before`, `${place} now`]))
  for (const process of places.values())
    if (process.name.startsWith('worker')) jobs.set(process.name, await jobsOf(process))
  expect(jobs.size).toBe(full ? 6 : 4)
  expect([...jobs].filter(([, count]) => count === 0)).toEqual([])
})
