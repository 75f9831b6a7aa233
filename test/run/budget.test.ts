import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { areaOf, overBudget, readBudget } from './budget.ts'

const root = join(import.meta.dirname, '../..')
const budget = readBudget()
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')

test('docs/testing.md has the same table', () => {
  const rows = [...page.matchAll(/^\| `([a-z0-9/]+)` +\| +(\d+) \|/gm)].map(([, area, seconds]) => [
    area,
    Number(seconds),
  ])
  expect(Object.fromEntries(rows)).toEqual(budget.areas)
  expect(page).toContain(`${budget.totalSeconds / 60} minutes on two cores`)
})

test('the areas fit into the whole run: three suites run at once on two cores', () => {
  const sum = Object.values(budget.areas).reduce((all, seconds) => all + seconds, 0)
  expect(sum).toBeLessThanOrEqual(3 * budget.totalSeconds)
})

test('every suite belongs to an area', () => {
  const suites = globSync('{api,client,indexers,migrations,queues,src,test,web}/**/*.test.ts', { cwd: root })
  expect([...new Set(suites.map(areaOf))].filter((area) => !(area in budget.areas))).toEqual([])
})

test.each([
  ['src/money/amount.test.ts', 'unit'],
  ['test/run/budget.test.ts', 'unit'],
  ['src/audit/audit.integration.test.ts', 'src'],
  ['test/e2e/browser.integration.test.ts', 'test/e2e'],
])('%s belongs to the area %s', (file, area) => {
  expect(areaOf(file)).toBe(area)
})

test('an area is over budget when its suites together are, and the run when it ran all suites', () => {
  const small = { totalSeconds: 10, areas: { unit: 5, 'test/e2e': 5 } }
  const suites = [
    { file: 'src/a.test.ts', wallMs: 5000 },
    { file: 'test/e2e/b.integration.test.ts', wallMs: 3000 },
    { file: 'test/e2e/c.integration.test.ts', wallMs: 4000 },
  ]
  expect(overBudget(suites, null, small)).toEqual(['test/e2e: 7 s of 5 s'])
  expect(overBudget(suites, 10_000, small)).toEqual(['test/e2e: 7 s of 5 s'])
  expect(overBudget(suites, 12_000, small)).toEqual(['test/e2e: 7 s of 5 s', 'the whole run: 12 s of 10 s'])
})
