import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { markdownTable } from './markdownTable.ts'

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
      const { groups } = parse(readFileSync(join(folder, file), 'utf8')) as { groups: { rules: (AlertRule | RecordingRule)[] }[] }
      const rules = groups.flatMap((group) => group.rules)
      const alerts = rules.filter((rule): rule is AlertRule => 'alert' in rule)
      return { name: basename(file, '.yml'), alerts, recordings: rules.filter((rule): rule is RecordingRule => 'record' in rule) }
    })
}

/** The page of an alert below docs/, with its heading. */
export const runbookOf = ({ annotations }: AlertRule): string => annotations.runbook_url.replace(beforeRunbook, '')

/** docs/alerts.md, from the rules of grafana/alerts. */
export function alertsPage(): string {
  const titles: Record<string, string> = { api: 'API', chains: 'Chains', money: 'Money', queues: 'Queues and processes', webhooks: 'Webhooks' }
  const tables = alertFiles().flatMap(({ name, alerts, recordings }) => [
    '',
    `## ${titles[name] ?? name}`,
    '',
    `From \`grafana/alerts/${name}.yml\`.`,
    '',
    ...markdownTable(
      ['alert', 'severity', 'says', 'when'],
      alerts.map((rule) => [
        `[\`${rule.alert}\`](${runbookOf(rule)})`,
        rule.labels.severity,
        rule.annotations.summary
          .replaceAll(/\{\{ with \$labels\.(\w+) \}\}(.*?)\{\{ end \}\}/g, (_, label: string, text: string) => text.replace('{{ . }}', `<${label}>`))
          .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '<$1>')
          .replaceAll('<', '\\<'),
        `\`${rule.expr.replaceAll('|', '\\|')}\`${rule.for === undefined ? '' : `, for ${rule.for}`}`,
      ]),
    ),
    ...(recordings.length === 0 ? [] : ['', `Recorded: ${recordings.map(({ record }) => `\`${record}\``).join(', ')}.`]),
  ])
  return `${[
    '# Alerts',
    '',
    '<!-- Made by `npm run generate` from grafana/alerts. -->',
    '',
    'Every alert, with the page that says what to do. `page`: act now, also at night; `ticket`: act on the next working day.',
    '[Operations](operations.md#alerts) says how they are delivered.',
    ...tables,
  ].join('\n')}\n`
}
