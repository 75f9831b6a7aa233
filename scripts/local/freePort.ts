import { randomInt } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const [file, own] = [join(claims, String(port)), join(claims, `of-${process.pid}`)]
  mkdirSync(claims, { recursive: true })
  writeFileSync(own, String(process.pid))
  try {
    // The file is there at once with what is in it, or not at all.
    linkSync(own, file)
    return 'new'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
  const owner = ownerOf(file)
  if (owner === process.pid) return 'own'
  if (owner !== null && isAlive(owner)) return 'of another'
  rmSync(file, { force: true })
  return claim(port)
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
