import { expect, test } from '@jest/globals'
import { explorerOf } from './explorers.ts'
import { registry } from './registry.ts'

test('each main network of the registry has an explorer over https, with a place for the id', () => {
  for (const chain of registry)
    for (const page of Object.values(explorerOf(chain) ?? { none: 'none' }))
      expect(page).toMatch(/^https:\/\/[a-z.-]+\/\S*\{id\}/)
})

test('a network of this machine has none', () => {
  for (const network of ['31337', '31338', 'Standalone Network ; February 2017', 'constructor', ''])
    expect(explorerOf({ network })).toBeNull()
})
