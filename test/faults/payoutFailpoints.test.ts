import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { payoutFailpoints } from '../../src/capabilities.ts'
import { payoutSuites } from './payoutFailpoints.ts'

test('each failpoint of outflows has a suite that kills a process there', () => {
  expect(Object.values(payoutSuites).flat().toSorted()).toEqual([...payoutFailpoints].toSorted())
  for (const suite of Object.keys(payoutSuites))
    expect([suite, existsSync(join(import.meta.dirname, suite))]).toEqual([suite, true])
})
