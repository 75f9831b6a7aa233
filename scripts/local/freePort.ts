import { randomInt } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './isAlive.ts'

/**
 * From 32768 on systems take ports for outgoing connections: one that is free there now may be taken a moment later, before the
 * process that asked for it listens.
 */
const ports = { from: 20_000, to: 32_000 }
const maxTries = 1000

/** Who was given a port, which may not be listened on yet: a file for each port, with the id of that process. */
const claims = join(tmpdir(), `cowry-ports-${process.getuid?.() ?? ''}`)

/** `preferred` if it is free, else another free port. It is given to no other process while this one lives. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred && (await isFree(preferred)) && claim(preferred) !== 'of another') return preferred
  for (let tries = 0; tries < maxTries; tries++) {
    const port = randomInt(ports.from, ports.to)
    if (claim(port) === 'new' && (await isFree(port))) return port
  }
  throw new Error('no free port')
}

/** Whether nothing on this machine listens on a port. */
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

/** Makes a file with this process's id in it, unless it is there: at once with what is in it, or not at all. */
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

/** Replaces the claim of a process that ended. Of several that try, one may: the rest would remove the claim that it has just made. */
function takeOver(file: string, ended: number): boolean {
  const lock = `${file}-of-${ended}`
  if (!create(lock)) return false
  try {
    // The one that had the lock before may have made its claim meanwhile.
    if (ownerOf(file) !== ended) return false
    const own = join(claims, `by-${process.pid}`)
    writeFileSync(own, String(process.pid))
    renameSync(own, file)
    return true
  } finally {
    rmSync(lock)
  }
}

/** null where the claim is gone. */
function ownerOf(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
