import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'
import { isAlive } from '../../scripts/local/isAlive.ts'
import { endOf } from '../../scripts/local/service.ts'
import { full } from '../support/full.ts'
import { family, interrupt, type NpmStart, newHome, npmStart } from '../support/npmStart.ts'
import { waitFor } from '../support/waitFor.ts'

// Each process of `npm start` gets each signal. Alone, as `kill` sends it, not as a terminal does.

let home: string
let port: number
let current: NpmStart | undefined

beforeAll(async () => {
  home = newHome()
  port = await freePort()
})
afterAll(async () => {
  if (current) await interrupt(current)
  rmSync(home, { recursive: true, force: true })
})

const processes = {
  npm: /^npm/,
  'scripts/start.mjs': /^node scripts\/start\.mjs/,
  'scripts/dev/start.ts': /scripts\/dev\/start\.ts/,
  Postgres: /bin\/postgres -D/,
  Redis: /redis-server/,
  'the ethereum devnet': /anvil/,
  'the tron devnet': /tron\/main\.ts/,
  cowry: /cowry\.ts run all/,
  treasury: /cowry\.ts run treasury/,
} as const
type Name = keyof typeof processes

const all = (Object.keys(processes) as Name[]).flatMap((name) =>
  (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map((signal) => [name, signal] as const),
)
/** Those that took a way of their own, and left processes. */
const short: typeof all = [
  ['npm', 'SIGKILL'],
  ['scripts/start.mjs', 'SIGINT'],
  ['scripts/start.mjs', 'SIGKILL'],
  ['scripts/dev/start.ts', 'SIGKILL'],
  ['Postgres', 'SIGTERM'],
  ['cowry', 'SIGTERM'],
]
/** Started again, as a supervisor of a deployment would. */
const isStartedAgain = ([name, signal]: (typeof all)[number]) =>
  signal === 'SIGKILL' && (name === 'cowry' || name === 'treasury')

test.each((full ? all : short).filter((each) => !isStartedAgain(each)))(
  '%s gets %s: nothing is left running, and the next start resumes',
  async (name, signal) => {
    const { child, started } = await resumed()
    const ended = endOf(child)
    process.kill(pidOf(name, started), signal)
    await ended
    await waitFor('the end of all', async () => started.every(({ pid }) => !isAlive(pid)), 30_000)
  },
  600_000,
)

const longForm = full ? test : test.skip
longForm.each(all.filter(isStartedAgain))(
  '%s gets %s: it is started again, and nothing else ends',
  async (name, signal) => {
    const { child, started, output } = await resumed()
    const pid = pidOf(name, started)
    process.kill(pid, signal)
    await waitFor('its successor', async () => {
      const now = family(child.pid ?? 0)
      return now.some((each) => each.pid !== pid && processes[name].test(each.args))
    })
    expect(output()).toContain(`${name} ended unexpectedly; starting it again`)
    const others = started.filter(
      (each) => each.pid !== pid && /^npm|node |postgres -D|redis-server|anvil/.test(each.args),
    )
    expect(others.filter((each) => !isAlive(each.pid))).toEqual([])
    await interrupt({ child, output, home, port })
  },
  600_000,
)

/** A start on the state that the one before has left, with its processes. */
async function resumed(): Promise<NpmStart & { started: { pid: number; args: string }[] }> {
  current = await npmStart(home, port)
  const pid = current.child.pid ?? 0
  return { ...current, started: [{ pid, args: 'npm start' }, ...family(pid)] }
}

function pidOf(name: Name, started: { pid: number; args: string }[]): number {
  const found = started.find(({ args }) => processes[name].test(args))
  if (!found) throw new Error(`${name} is not among ${started.map(({ args }) => args).join('\n')}`)
  return found.pid
}
