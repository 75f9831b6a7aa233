import { describe, expect, test } from '@jest/globals'
import { bundleContract, bundleDashboardContract } from '../scripts/contracts/bundle.ts'
import { loadContract, loadDashboardContract } from './contract.ts'

describe.each([
  ['api/openapi.json', loadContract, bundleContract],
  ['api/dashboard-api/openapi.json', loadDashboardContract, bundleDashboardContract],
])('%s', (_file, load, bundle) => {
  test('is what `npm run generate` makes of the YAML', () => {
    expect(JSON.stringify(load())).toBe(JSON.stringify(bundle()))
  })
})
