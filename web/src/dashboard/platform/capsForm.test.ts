import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Caps } from '../types.ts'
import { capNames, readCaps } from './capsForm.ts'

const caps: Caps = {
  monitoredAddresses: 500_000,
  openSessions: null,
  endpointsPerHost: 0,
  deliveriesPerHost: null,
  importBlocksPerDay: null,
  replaysPerDay: null,
  nodeQuestionsPerDay: null,
}

/** The form as shown, with some fields changed. */
function filled(change: Partial<Record<keyof Caps, string>> = {}): FormData {
  const data = new FormData()
  for (const name of capNames) data.set(name, change[name] ?? (caps[name] === null ? '' : String(caps[name])))
  return data
}

test('every cap has a field', () => expect([...capNames].sort()).toEqual(Object.keys(caps).sort()))

test('only changed fields are sent; an empty field goes back to the default, and 0 is a cap', () => {
  expect(readCaps(filled(), caps)).toEqual({})
  expect(
    readCaps(filled({ monitoredAddresses: ' ', openSessions: '0', endpointsPerHost: '12' }), caps),
  ).toEqual({
    monitoredAddresses: null,
    openSessions: 0,
    endpointsPerHost: 12,
  })
})

test.each(['1.5', 'many', '1e99'])('%s is not a valid cap, and its field reports it', (text) => {
  expect(() => readCaps(filled({ replaysPerDay: text }), caps)).toThrow(FieldProblem)
})
