import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { alerts } from './alerts.ts'

const folder = join(import.meta.dirname, '../../grafana/alerts')
const rules = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')

test('each alert of the health page has the severity and the runbook of its rule', () => {
  const ofRules = Object.keys(alerts).map((name) => {
    const rule = rules.split(/- alert: /).find((each) => each.startsWith(`${name}\n`)) ?? ''
    return [
      name,
      {
        severity: /severity: (\w+)/.exec(rule)?.[1],
        runbook: /\/runbooks\/([^"]+)"/.exec(rule)?.[1],
      },
    ]
  })
  expect(Object.fromEntries(ofRules)).toEqual(alerts)
})
