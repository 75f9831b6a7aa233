import { describe, expect, test } from '@jest/globals'
import {
  bundleContract,
  bundleDashboardContract,
  bundleVerificationContract,
  published,
} from '../scripts/contracts/bundle.ts'
import { loadContract, loadDashboardContract, loadVerificationContract, operationsOf } from './contract.ts'
import { maxBodyOf } from './middleware/jsonBody.ts'

describe.each([
  ['api/openapi.json', loadContract, bundleContract],
  ['api/dashboard-api/openapi.json', loadDashboardContract, bundleDashboardContract],
  ['api/verification/openapi.json', loadVerificationContract, bundleVerificationContract],
])('%s', (_file, load, bundle) => {
  test('is what `npm run generate` makes of the YAML', () => {
    expect(JSON.stringify(load())).toBe(JSON.stringify(published(bundle())))
  })

  test('has no default in a body: generators of types would take the field for required', () => {
    const { components } = load()
    const bodies = operationsOf(load()).map(({ operation }) => operation.requestBody)
    expect(JSON.stringify([components.schemas, components.requestBodies, bodies])).not.toMatch(/"default":/)
  })

  test('accepts no large body without a credential: 8 kB, and 24 kB for the answer of a passkey', () => {
    const open = operationsOf(load()).filter(({ operation }) => operation['x-scope'] === 'public')
    const large = open
      .filter(({ operation }) => maxBodyOf(operation) > 8 * 1024)
      .map(({ operation }) => [operation.operationId, maxBodyOf(operation)])
    expect(open.length).toBeGreaterThan(0)
    expect(large).toEqual(load === loadDashboardContract ? [['signIn', 24 * 1024]] : [])
  })
})
