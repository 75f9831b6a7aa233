import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { alertFiles } from '../../scripts/alertsPage.ts'
import { amtool, notHeldBack, promtool } from '../support/prometheus.ts'

const root = join(import.meta.dirname, '../..')
const [rules, tests] = ['grafana/alerts/*.yml', 'test/e2e/alerts/*.yml'].map((pattern) =>
  globSync(pattern, { cwd: root }).sort(),
) as [string[], string[]]
const inRoot = (files: readonly string[]) => files.map((file) => join(root, file))

interface RuleTest {
  name: string
  alert_rule_test: { alertname: string; exp_alerts: object[] }[]
}

test('promtool and amtool accept the rules, and the configurations of Prometheus and Alertmanager', () => {
  expect(promtool(['check', 'rules', ...inRoot(rules)])).toMatchObject({ status: 0 })
  expect(promtool(['check', 'config', join(root, 'grafana/prometheus.yml')])).toMatchObject({ status: 0 })
  expect(amtool(['check-config', join(root, 'grafana/alertmanager.yml')])).toMatchObject({ status: 0 })
})

test.each(tests)('each alert of %s fires and stays quiet as expected', (file) => {
  const { status, output } = promtool(['test', 'rules', join(root, file)])
  expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('a part that is gone does not hold back that a process of another one does not answer', () => {
  const firing = [
    { labels: { alertname: 'CowryProcessMissing', part: 'treasury' } },
    { labels: { alertname: 'CowryProcessDown', instance: 'worker:9464' } },
  ]
  expect(notHeldBack(firing)).toEqual(['CowryProcessDown', 'CowryProcessMissing'])
})

describe('the tests of the rules', () => {
  const cases = tests.flatMap(
    (file) => (parse(readFileSync(join(root, file), 'utf8')) as { tests: RuleTest[] }).tests,
  )
  const expected = cases.flatMap((each) => each.alert_rule_test)

  test('have a case in which each alert fires, and one in which it stays quiet', () => {
    const alerts = alertFiles().flatMap((each) => each.alerts.map(({ alert }) => alert))
    expect(alerts.length).toBeGreaterThan(60)
    const named = (count: number) =>
      new Set(
        expected.filter(({ exp_alerts }) => exp_alerts.length === count).map(({ alertname }) => alertname),
      )
    expect(named(1)).toEqual(new Set(alerts))
    expect(named(0)).toEqual(new Set(alerts))
  })

  test('fail where a rule is off', () => {
    const [file] = tests.filter((each) => each.endsWith('queues.yml'))
    const wrong = readFileSync(join(root, file ?? ''), 'utf8').replace("values: '1x10'", "values: '0x10'")
    expect(
      promtool(['test', 'rules', '/dev/stdin'], wrong.replaceAll('../../../grafana', join(root, 'grafana')))
        .status,
    ).toBe(1)
  })
})
