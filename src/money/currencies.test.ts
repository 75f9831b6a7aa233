import { expect, test } from '@jest/globals'
import { currencies } from './currencies.ts'

/** Units of account and funds, which people do not pay with: Node's table has none of them. */
const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED']

test('each currency but for funds is one of the table that Node has, which is from another source', () => {
  const ofNode = new Set(Intl.supportedValuesOf('currency'))
  const unknown = [...currencies.keys()].filter((code) => !ofNode.has(code))
  expect(unknown.toSorted()).toEqual(funds)
})

test('there are the newest codes of Curaçao and Zimbabwe, and none of metals or tests', () => {
  expect([currencies.get('XCG'), currencies.get('ZWG')]).toEqual([2, 2])
  expect(['XAU', 'XXX', 'XTS', 'XDR', 'ZWL', 'BTC'].filter((code) => currencies.has(code))).toEqual([])
})
