// npm start. This process installs, runs scripts/dev/start.ts, and outlives it: where that one is killed,
// what it had started is ended here; where this one, or npm above it, is killed, that one ends in order.
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureInstalled, projectNode, root } from './bootstrap.mjs'

const forceAfterMs = 15_000

await ensureInstalled()
// The script's `exec` leaves no shell between npm and this process.
const npm = process.env.npm_lifecycle_event === undefined ? null : process.ppid
const child = spawn(projectNode(), ['scripts/dev/start.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
/** The leaders of the process groups that it has started, with the signal that stops each in order. */
const groups = new Map()
child.on('message', ({ pid, stopSignal }) => void groups.set(pid, stopSignal))

// A terminal signals the whole group, so the child may have it already: it takes a second one within a
// second for the same.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
if (npm !== null) {
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
}

child.on('close', async (code, signal) => {
  if (code === null) await endGroups(signal)
  process.exit(code ?? 1)
})

async function endGroups(signal) {
  const alive = () => [...groups.keys()].filter((pid) => signalGroup(pid, 0))
  process.stderr.write(
    `\nnpm start was ended by ${signal}. Stopping the ${alive().length} processes that it had started …\n`,
  )
  for (const [pid, stopSignal] of groups) signalGroup(pid, stopSignal)
  for (const deadline = Date.now() + forceAfterMs; alive().length > 0 && Date.now() < deadline; )
    await delay(50)
  for (const pid of alive()) signalGroup(pid, 'SIGKILL')
  process.stderr.write('Stopped. State is kept; npm start resumes.\n')
}

/** @returns false if there is no such group */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
