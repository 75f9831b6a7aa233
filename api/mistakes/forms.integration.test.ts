import { expect, test } from '@jest/globals'
import { fieldCodes } from '../../src/platform/fieldCodes.ts'
import { type Contract, loadContracts, loadVerificationContract, operationsOf } from '../contract.ts'
import { requestsOf } from '../requestContract.ts'
import { formatForms, patternForms } from './forms.ts'
import { ownChecks } from './ownChecks.ts'

const { programs, dashboard } = loadContracts()

/** The values of a key in the schemas of every request. */
function inRequests(contract: Contract, key: 'pattern' | 'format'): string[] {
  const found = new Set<string>()
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { [key]: value } = part as Record<string, unknown>
    if (typeof value === 'string') found.add(value)
    for (const [name, each] of Object.entries(part)) if (!/^examples?$/.test(name)) walk(each)
  }
  for (const { operation } of operationsOf(contract)) {
    const { paths, components } = requestsOf(contract, operation)
    walk([paths, components.schemas, components.parameters])
  }
  return [...found]
}

test.each([
  ['the API', programs],
  ['the dashboard', dashboard],
  ['verification', loadVerificationContract()],
])('every pattern and format of a request has words: %s', (_name, contract) => {
  expect(inRequests(contract, 'pattern').filter((each) => !patternForms[each])).toEqual([])
  expect(inRequests(contract, 'format').filter((each) => !formatForms[each] && each !== 'binary')).toEqual([])
})

test('own checks are of operations that exist', () => {
  const names = operationsOf(programs).map(({ operation }) => operation.operationId)
  expect(Object.keys(ownChecks).filter((each) => !names.includes(each))).toEqual([])
})

test('the contract has the codes of the table, in its order', () => {
  const { Error: schema } = programs.components.schemas as Record<string, unknown>
  const { code } = (schema as { properties: { fields: { items: { properties: Record<string, object> } } } })
    .properties.fields.items.properties
  expect(code).toMatchObject({ 'x-extensible-enum': Object.keys(fieldCodes) })
})
