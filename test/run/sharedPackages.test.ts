import { expect, jest, test } from '@jest/globals'
import zod, { ZodError, z } from 'zod'
import { importPackage } from './sharedPackages.ts'

type Import = (name: string) => Promise<Record<string, unknown>>
const importShared = (globalThis as unknown as Record<symbol, Import>)[importPackage] as Import

test('a suite imports the modules that its worker has loaded', async () => {
  const loaded = await importShared('zod')
  expect(zod).toBe(loaded.default)
  expect(ZodError).toBe(loaded.ZodError)
  expect(z).toBe(loaded.z)
})

test('a package and a suite have the same errors', () => {
  expect(() => z.string().parse(1)).toThrow(ZodError)
  expect(z.instanceof(Error).safeParse(new TypeError('of the suite')).success).toBe(true)
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error)
})

test('a package sees the clock that a suite sets', () => {
  jest.spyOn(Date, 'now').mockReturnValue(0)
  expect(z.date().max(new Date(Date.now())).safeParse(new Date(1)).success).toBe(false)
  jest.restoreAllMocks()
  expect(z.date().safeParse(new Date()).success).toBe(true)
})
