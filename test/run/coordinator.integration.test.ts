import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Coordinator, callCoordinator, startCoordinator } from './coordinator.ts'

const starts: string[] = []
const home = mkdtempSync(join(tmpdir(), 'cowry-coordinator-'))
let coordinator: Coordinator

beforeAll(async () => {
  coordinator = await startCoordinator(home, {
    lake: async () => `lake ${starts.push('lake')}`,
    desert: async () => {
      starts.push('desert')
      throw new Error('no water')
    },
  })
})

afterAll(async () => {
  await coordinator.close()
  rmSync(home, { recursive: true })
})

const ask = (name: string) => callCoordinator(coordinator.address, name)

test('a resource starts at the first request, once', async () => {
  expect(starts).toEqual([])
  expect(await Promise.all([ask('lake'), ask('lake')])).toEqual(['lake 1', 'lake 1'])
  expect(await ask('lake')).toBe('lake 1')
  expect(starts).toEqual(['lake'])
})

test('a resource that fails to start is not retried: every request gets its error', async () => {
  await expect(ask('desert')).rejects.toThrow('no water')
  await expect(ask('desert')).rejects.toThrow('no water')
  expect(starts.filter((name) => name === 'desert')).toHaveLength(1)
})

test('an unknown resource is an error', async () => {
  await expect(ask('sea')).rejects.toThrow('the run has no resource sea')
})
