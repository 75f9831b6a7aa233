import { access, type FileHandle, open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { createOneByOne } from '../../platform/database/oneByOne.ts'
import { ApiError } from '../../platform/errors.ts'
import { giveBack } from '../../platform/http/giveBack.ts'
import { isUuid, newId } from '../../platform/ids.ts'

/** Where sealed files are. Small, so that a store of objects can take its place. */
export interface UploadStore {
  /**
   * Stores a file; it is there as a whole, or not at all, also after a power cut.
   * @param bytes pieces that are given away: the store holds some of them, and gives their memory back
   * @throws ApiError 503 if there is no room for it
   */
  put(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  has(id: string): Promise<boolean>
  /** @throws Error if it does not exist */
  read(id: string): AsyncIterable<Buffer>
  /** Drops a file, and what was stored of one. Succeeds for a file that is not there. */
  drop(id: string): Promise<void>
  freeBytes(): Promise<number>
  /** @throws Error if no file can be stored */
  requireWritable(): Promise<void>
}

const partOf = (file: string) => `${file}.part`
const readBytes = 64 * 2 ** 10
/**
 * Each write takes a thread and a turn of the event loop, so it takes several pieces. An upload holds up to
 * this much, and a piece more, sealed.
 */
const writeBytes = 256 * 2 ** 10

export const noRoom = () =>
  new ApiError(503, 'unavailable', 'Uploads cannot be stored right now', { retryAfterSeconds: 60 })

/**
 * Files in a folder, which several processes may share. It is not made here: without its volume, files would
 * be stored on another disk.
 */
export function folderStore(folder: string): UploadStore {
  const pathOf = (id: string): string => {
    if (!isUuid(id)) throw new Error('the id of an upload is not a UUID')
    return join(folder, id)
  }
  // A sync holds a thread until the disk is done: new connections to the database need one of the few, too.
  const inTurn = createOneByOne()
  async function put(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const part = partOf(pathOf(id))
    const file = await open(part, 'wx', 0o600)
    try {
      await writeAll(file, bytes)
      await inTurn('sync', async () => {
        await file.sync()
        await file.close()
        await rename(part, pathOf(id))
        await syncFolder(folder)
      })
    } catch (error) {
      await file.close().catch(() => {})
      await rm(part, { force: true })
      throw error
    }
  }
  async function drop(id: string): Promise<void> {
    await rm(pathOf(id), { force: true })
    await rm(partOf(pathOf(id)), { force: true })
  }
  return {
    put: (id, bytes) =>
      put(id, bytes).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOSPC' || error.code === 'EDQUOT' ? noRoom() : error
      }),
    has: (id) =>
      access(pathOf(id)).then(
        () => true,
        () => false,
      ),
    read: (id) => readAll(pathOf(id)),
    drop,
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async requireWritable() {
      const id = newId()
      await put(id, (async function* () {})())
      await drop(id)
    },
  }
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let pieces: Uint8Array[] = []
  let held = 0
  const write = async () => {
    await writeTogether(file, pieces)
    for (const piece of pieces) giveBack(piece)
    pieces = []
    held = 0
  }
  for await (const piece of bytes) {
    pieces.push(piece)
    held += piece.length
    if (held >= writeBytes) await write()
  }
  if (held > 0) await write()
}

async function writeTogether(file: FileHandle, pieces: Uint8Array[]): Promise<void> {
  let { bytesWritten } = await file.writev(pieces)
  // A disk that fills up takes a part.
  for (const piece of pieces) {
    if (bytesWritten < piece.length) await file.writeFile(piece.subarray(bytesWritten))
    bytesWritten = Math.max(0, bytesWritten - piece.length)
  }
}

/** Makes a file's name last: the file itself is synced before. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

async function* readAll(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    yield* file.createReadStream({ highWaterMark: readBytes, autoClose: false }) as AsyncIterable<Buffer>
  } finally {
    await file.close()
  }
}
