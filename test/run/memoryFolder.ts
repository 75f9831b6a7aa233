import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../scripts/local/isAlive.ts'

const sharedMemory = '/dev/shm'
/** Bytes that the file system and the machine must have free. */
const enoughFree = 4 * 2 ** 30

/**
 * A folder in memory for a run of process `pid`, or null where no such file system exists or memory is short.
 * On the disk of a virtual machine a clone of a database took 330 ms of CPU, in memory it took 20.
 */
export function memoryFolder(pid: number, root = sharedMemory, minFree = enoughFree): string | null {
  try {
    const { bavail, bsize } = statfsSync(root)
    if (bavail * bsize < minFree || process.availableMemory() < minFree) return null
    forgetDead(root)
    const folder = mkdtempSync(join(root, `cowry-test-${pid}-`))
    // Postgres may run as another user, who must be able to enter it.
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return null
  }
}

/** Removes the folders of runs that were killed. */
function forgetDead(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = Number(/^cowry-test-(\d+)-/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}
