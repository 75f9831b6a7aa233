import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { memoryFolder } from './memoryFolder.ts'

const root = mkdtempSync(join(tmpdir(), 'cowry-memory-'))
afterAll(() => rmSync(root, { recursive: true }))

test('a run has a folder; those of ended runs are removed', () => {
  const dead = join(root, 'cowry-test-2147483646-abcdef')
  mkdirSync(dead)
  const other = join(root, 'something-else')
  mkdirSync(other)
  const own = memoryFolder(process.pid, root, 0) ?? ''
  expect(basename(own)).toMatch(new RegExp(`^cowry-test-${process.pid}-`))
  expect([dead, other, own].map((folder) => existsSync(folder))).toEqual([false, true, true])
  expect(memoryFolder(process.pid, root, 0)).not.toBe(own)
})

test('without such a file system, or where memory is short, returns null', () => {
  expect(memoryFolder(process.pid, root, Number.POSITIVE_INFINITY)).toBeNull()
  expect(memoryFolder(process.pid, join(root, 'missing'))).toBeNull()
})
