import { randomInt } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './isAlive.ts'

/**
 * Below 32768, where systems start to assign ports to outgoing connections: a free port there may be taken
 * before the process listens.
 */
const ports = { from: 20_000, to: 32_000 }
const maxTries = 1000

/** Claimed ports, on which no process may listen yet: one file per port, with the claimant's pid. */
const claims = join(tmpdir(), `cowry-ports-${process.getuid?.() ?? ''}`)

/** `preferred` if it is free, otherwise another free port. No other process gets it while this one lives. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred && (await isFree(preferred)) && claim(preferred) !== 'of another') return preferred
  for (let tries = 0; tries < maxTries; tries++) {
    const port = randomInt(ports.from, ports.to)
    if (claim(port) === 'new' && (await isFree(port))) return port
  }
  throw new Error('no free port')
}

/** Whether no process on this machine listens on a port. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A claim ends with its process. */
function claim(port: number): 'new' | 'own' | 'of another' {
  const file = join(claims, String(port))
  mkdirSync(claims, { recursive: true })
  if (create(file)) return 'new'
  const owner = ownerOf(file)
  if (owner === process.pid) return 'own'
  if (owner === null || isAlive(owner)) return 'of another'
  return takeOver(file, owner) ? 'new' : 'of another'
}

/** Creates a file with this process's pid atomically, unless it exists. */
function create(file: string): boolean {
  const own = join(claims, `of-${process.pid}`)
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own)
  }
}

/**
 * Replaces the claim of a process that has ended. A lock lets only one process do so: another would remove
 * the new claim.
 */
function takeOver(file: string, ended: number): boolean {
  const lock = `${file}-of-${ended}`
  if (!create(lock)) return false
  try {
    // An earlier holder of the lock may have claimed it.
    if (ownerOf(file) !== ended) return false
    const own = join(claims, `by-${process.pid}`)
    writeFileSync(own, String(process.pid))
    renameSync(own, file)
    return true
  } finally {
    rmSync(lock)
  }
}

/** null if the claim is gone. */
function ownerOf(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
