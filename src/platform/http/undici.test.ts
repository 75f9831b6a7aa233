import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import * as whole from 'undici'
import { Agent, buildConnector, Pool } from './undici.ts'

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../node_modules/undici/package.json'), 'utf8'),
) as { version: string }

// At an upgrade: check that `undici.ts` still does what undici's index.js does with these files.
test('the private paths are those of the version that they were read in', () => {
  expect(version).toBe('8.12.4')
})

test('a dispatcher has the calls of one from the main entry point', () => {
  const calls = [
    'request',
    'stream',
    'pipeline',
    'connect',
    'upgrade',
    'dispatch',
    'close',
    'destroy',
  ] as const
  for (const made of [new Agent(), new Pool('http://localhost')])
    for (const call of calls) expect([call, typeof made[call]]).toEqual([call, 'function'])
  const callsOf = ({ prototype }: { prototype: object }) => Object.getOwnPropertyNames(prototype).toSorted()
  expect(callsOf(Agent)).toEqual(callsOf(whole.Agent))
  expect(callsOf(Pool)).toEqual(callsOf(whole.Pool))
  expect(typeof buildConnector({})).toBe('function')
})
