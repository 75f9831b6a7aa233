import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { newId } from '../../platform/ids.ts'
import { folderStore } from './uploadStore.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowry-store-'))
const store = folderStore(folder)
afterAll(() => rmSync(folder, { recursive: true }))

async function* failing(code: string) {
  yield Buffer.from('first')
  throw Object.assign(new Error('write failed'), { code })
}

describe('the folder of uploads', () => {
  test('has a file as a whole, until it is dropped', async () => {
    const id = newId()
    await store.put(
      id,
      (async function* () {
        yield Buffer.from('sealed')
      })(),
    )
    expect(readdirSync(folder)).toEqual([id])
    expect(await store.has(id)).toBe(true)
    await store.drop(id)
    await store.drop(id)
    expect(await store.has(id)).toBe(false)
  })

  test('has all bytes of pieces of any length, and gives their memory back', async () => {
    const id = newId()
    const lengths = [0, 1, 65_536, 16, 300_000, 262_144, 7]
    const pieces = lengths.map((length, index) => Buffer.allocUnsafeSlow(length).fill(index))
    const whole = Buffer.concat(pieces)
    await store.put(
      id,
      (async function* () {
        yield* pieces
      })(),
    )
    expect(readFileSync(join(folder, id)).equals(whole)).toBe(true)
    expect(pieces.map((piece) => piece.length)).toEqual(lengths.map(() => 0))
    await store.drop(id)
  })

  test.each(['ENOSPC', 'EDQUOT'])('that is full (%s) is 503, and keeps no part of a file', async (code) => {
    await expect(store.put(newId(), failing(code))).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 60,
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test('passes other failures on, and keeps no part of a file', async () => {
    await expect(store.put(newId(), failing('EIO'))).rejects.toMatchObject({ code: 'EIO' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is checked by writing to it, and is not made', async () => {
    await store.requireWritable()
    expect(readdirSync(folder)).toEqual([])
    const missing = folderStore(join(folder, 'missing'))
    await expect(missing.requireWritable()).rejects.toThrow('ENOENT')
    await expect(missing.freeBytes()).rejects.toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual([])
    expect(await store.freeBytes()).toBeGreaterThan(0)
  })

  test('takes ids alone', async () => {
    await expect(store.put('../x', failing('EIO'))).rejects.toThrow('not a UUID')
    await expect(store.drop('../x')).rejects.toThrow('not a UUID')
  })
})
