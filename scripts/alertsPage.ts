import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { alertFaults } from './alertFaults.ts'
import { markdownTable } from './markdownTable.ts'
import { suiteAlerts } from './suiteAlerts.ts'

export interface AlertRule {
  alert: string
  expr: string
  for?: string
  labels: { severity: 'page' | 'ticket' }
  annotations: { summary: string; runbook_url: string }
}

interface RecordingRule {
  record: string
  expr: string
}

const folder = join(import.meta.dirname, '../grafana/alerts')
const beforeRunbook = '{{ $externalLabels.docs }}/'

/** The rules of each file of grafana/alerts, by its name. */
export function alertFiles(): { name: string; alerts: AlertRule[]; recordings: RecordingRule[] }[] {
  return globSync('*.yml', { cwd: folder })
    .sort()
    .map((file) => {
      const { groups } = parse(readFileSync(join(folder, file), 'utf8')) as {
        groups: { rules: (AlertRule | RecordingRule)[] }[]
      }
      const rules = groups.flatMap((group) => group.rules)
      const alerts = rules.filter((rule): rule is AlertRule => 'alert' in rule)
      return {
        name: basename(file, '.yml'),
        alerts,
        recordings: rules.filter((rule): rule is RecordingRule => 'record' in rule),
      }
    })
}

/** The page of an alert below docs/, with its heading. */
export const runbookOf = ({ annotations }: AlertRule): string =>
  annotations.runbook_url.replace(beforeRunbook, '')

const titles: Record<string, string> = {
  api: 'API',
  chains: 'Chains',
  money: 'Money',
  queues: 'Queues and processes',
  webhooks: 'Webhooks',
}

/** docs/alerts.md, from the rules of grafana/alerts. */
export function alertsPage(): string {
  const tables = alertFiles().flatMap(({ name, alerts, recordings }) => [
    '',
    `## ${titles[name] ?? name}`,
    '',
    `From \`grafana/alerts/${name}.yml\`.`,
    '',
    ...markdownTable(
      ['alert', 'severity', 'meaning', 'when'],
      alerts.map((rule) => [
        `[\`${rule.alert}\`](${runbookOf(rule)})`,
        rule.labels.severity,
        rule.annotations.summary
          .replaceAll(/\{\{ with \$labels\.(\w+) \}\}(.*?)\{\{ end \}\}/g, (_, label: string, text: string) =>
            text.replace('{{ . }}', `<${label}>`),
          )
          .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '<$1>')
          .replaceAll('<', '\\<'),
        `\`${rule.expr.replaceAll('|', '\\|')}\`${rule.for === undefined ? '' : `, for ${rule.for}`}`,
      ]),
    ),
    ...(recordings.length === 0
      ? []
      : ['', `Recorded: ${recordings.map(({ record }) => `\`${record}\``).join(', ')}.`]),
  ])
  return `${[
    '# Alerts',
    '',
    '<!-- Made by `npm run generate` from grafana/alerts. -->',
    '',
    'Every alert, with the page that has the steps to take. `page`: act now, also at night; `ticket`: act on the next working day.',
    '[Observability](observability.md#alerts) describes how they are delivered.',
    ...tables,
    ...shownByFaults(),
  ].join('\n')}\n`
}

function shownByFaults(): string[] {
  const files = alertFiles()
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const shown = new Set<string>(Object.values(alertFaults).flat())
  const others = files.map(
    ({ name, alerts }) =>
      [titles[name] ?? name, alerts.flatMap(({ alert }) => (shown.has(alert) ? [] : [alert]))] as const,
  )
  return [
    '',
    '## Shown by faults',
    '',
    'For each alert `test/e2e/alerts` has cases in which it fires and stays quiet, which promtool runs.',
    `Of these ${files.flatMap(({ alerts }) => alerts).length} alerts, ${shown.size} are also raised by faults in a real deployment: a real Prometheus raises them`,
    'and no other (`test/faults/alerts`, all of them in the long form of the tests).',
    '',
    ...markdownTable(
      ['fault', 'alerts'],
      Object.entries(alertFaults).map(([fault, alerts]) => [fault, code(alerts)]),
    ),
    '',
    'What the suites of `test/faults` do, and which of these faults an operator would see where it lasts:',
    '',
    ...markdownTable(
      ['suite', 'fault above, or why there is no alert'],
      Object.entries(suiteAlerts).map(([suite, raises]) => [
        `\`${suite}\``,
        typeof raises === 'string' ? raises : raises.join('; '),
      ]),
    ),
    '',
    "By promtool's cases alone:",
    '',
    ...markdownTable(
      ['page', 'alerts'],
      others.map(([title, alerts]) => [title, code(alerts)]),
    ),
  ]
}
