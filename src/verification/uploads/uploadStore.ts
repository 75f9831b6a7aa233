import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isUuid } from '../../platform/ids.ts'

/** Where sealed files are. Small, so that a store of objects can take its place. */
export interface UploadStore {
  /** Stores a file; it is there as a whole, or not at all. */
  put(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** @throws Error if it does not exist */
  read(id: string): AsyncIterable<Buffer>
  /** Succeeds for a file that is not there. */
  drop(id: string): Promise<void>
  /** Ids of files that are older than this, and of files that were never finished. */
  olderThan(time: Date): Promise<string[]>
}

const partOf = (file: string) => `${file}.part`
const readBytes = 64 * 2 ** 10

/** Files in a folder, which several processes may share. */
export function folderStore(folder: string): UploadStore {
  const pathOf = (id: string): string => {
    if (!isUuid(id)) throw new Error('the id of an upload is not a UUID')
    return join(folder, id)
  }
  return {
    async put(id, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const part = partOf(pathOf(id))
      const file = await open(part, 'wx', 0o600)
      try {
        await writeAll(file, bytes)
        await file.close()
        await rename(part, pathOf(id))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(part, { force: true })
        throw error
      }
    },
    read: (id) => readAll(pathOf(id)),
    async drop(id) {
      await rm(pathOf(id), { force: true })
      await rm(partOf(pathOf(id)), { force: true })
    },
    async olderThan(time) {
      const names = await readdir(folder).catch(() => [])
      const old: string[] = []
      for (const name of names) {
        const id = name.replace(/\.part$/, '')
        const found = isUuid(id) ? await stat(join(folder, name)).catch(() => null) : null
        if (found && found.mtime < time) old.push(id)
      }
      return old
    },
  }
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) await file.writeFile(piece)
  await file.sync()
}

async function* readAll(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    yield* file.createReadStream({ highWaterMark: readBytes, autoClose: false }) as AsyncIterable<Buffer>
  } finally {
    await file.close()
  }
}
