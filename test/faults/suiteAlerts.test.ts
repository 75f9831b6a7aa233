import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from '@jest/globals'
import { alertFaults } from '../../scripts/alertFaults.ts'
import { alertFiles } from '../../scripts/alertsPage.ts'
import { suiteAlerts } from '../../scripts/suiteAlerts.ts'

test('each suite of faults names the alerts that it raises, or why it raises none', () => {
  const suites = globSync('*.test.ts', { cwd: import.meta.dirname }).map(
    (file) => basename(file).split('.')[0] ?? '',
  )
  expect(Object.keys(suiteAlerts).sort()).toEqual(suites.filter((name) => name !== 'suiteAlerts').sort())
})

test('faults and alerts that are named exist', () => {
  const known = alertFiles().flatMap(({ alerts }) => alerts.map(({ alert }) => alert))
  for (const [suite, raises] of Object.entries(suiteAlerts)) {
    const named = typeof raises === 'string' ? (raises.match(/Cowry\w+/g) ?? []) : raises
    const all: readonly string[] = typeof raises === 'string' ? known : Object.keys(alertFaults)
    expect([suite, named.filter((name) => !all.includes(name))]).toEqual([suite, []])
    expect([suite, raises.length]).not.toEqual([suite, 0])
  }
})
