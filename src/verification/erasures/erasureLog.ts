import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isUuid } from '../../platform/ids.ts'

/**
 * Ids of requests whose data were erased, outside the database: a backup of the database that is restored
 * knows nothing of later erasures.
 */
export interface ErasureLog {
  /** Adds ids; they are on the disk when this returns. An id may be there twice. */
  append(ids: readonly string[]): Promise<void>
  /** All ids, in batches. */
  read(): AsyncIterable<string[]>
}

const batch = 1000
const ending = '.log'

/**
 * A file for each month, in the folder `erased` of the uploads. Several processes may add to one: each write
 * is one append.
 */
export function folderErasureLog(uploads: string): ErasureLog {
  const folder = join(uploads, 'erased')
  return {
    async append(ids) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(join(folder, `${new Date().toISOString().slice(0, 7)}${ending}`), 'a', 0o600)
      try {
        // A line that was cut before is ended first.
        await file.write(`\n${ids.join('\n')}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await syncFolder(folder)
    },
    async *read() {
      const names = (await readdir(folder).catch(emptyIfMissing))
        .filter((name) => name.endsWith(ending))
        .sort()
      for (const name of names) yield* batchesOf(join(folder, name))
    },
  }
}

async function* batchesOf(path: string): AsyncGenerator<string[]> {
  let ids: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (isUuid(line)) ids.push(line)
    if (ids.length < batch) continue
    yield ids
    ids = []
  }
  if (ids.length > 0) yield ids
}

/** The entry of a new file is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
