import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { alertFiles, runbookOf } from '../../scripts/alertsPage.ts'
import { renamedMetrics } from '../../src/platform/telemetry/renamedMetrics.ts'
import { type Prometheus, promtool, startPrometheus } from '../support/prometheus.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: { expr: string; datasource: { uid: string } }[]
  links?: { title: string; url: string }[]
}

interface Dashboard {
  uid: string
  title: string
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}

const root = join(import.meta.dirname, '../..')
const dashboards = globSync('grafana/dashboards/*.json', { cwd: root })
  .sort()
  .map((file) => [file, JSON.parse(readFileSync(join(root, file), 'utf8')) as Dashboard] as const)
const panelsOf = (dashboard: Dashboard) => dashboard.panels.filter((panel) => panel.type !== 'row')
const panels = dashboards.flatMap(([, dashboard]) => panelsOf(dashboard))
const expressionsOf = (those: readonly Panel[]) =>
  those.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ title: panel.title, expr })))
const expressions = expressionsOf(panels)
const alerts = alertFiles().flatMap((file) => file.alerts)
const recordings = new Map(
  alertFiles().flatMap((file) => file.recordings.map(({ record, expr }) => [record, expr])),
)

/** Keywords of PromQL in the dashboard's expressions that are not metrics. */
const words = new Set(
  `absent and bool changes count delta deriv group_left histogram_quantile increase label_replace max max_over_time min min_over_time on or rate sum unless vector`.split(
    ' ',
  ),
)

/** The metrics that an expression uses. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|on|group_left)\s*\([^)]*\)/g, '')
    .replaceAll(/"[^"]*"/g, '')
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([name]) => name).filter((name) => !words.has(name))
}

/** The labels that an expression selects or groups by. */
function labelsIn(expr: string): string[] {
  const matchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
    [...(list ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
  )
  const groups = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list]) =>
    (list ?? '').split(',').map((label) => label.trim()),
  )
  return [...matchers, ...groups] as string[]
}

/** Labels that Prometheus adds and processes do not serve. */
const addedByPrometheus = new Set(['instance', 'job'])

/** Names of samples that processes serve, each with the labels of its samples. */
const samples = new Map<string, Set<string>>()
/** Metrics of our own, by the name in their `TYPE` line. */
const own = new Map<string, string>()

const withoutSuffix = (name: string) => name.replace(/_(bucket|sum|count)$/, '')

const suffixes: Record<string, string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

function readScrape(text: string): void {
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm) as Iterable<
    RegExpExecArray & [string, string, string]
  >) {
    for (const suffix of suffixes[type] ?? [''])
      if (!samples.has(name + suffix)) samples.set(name + suffix, new Set())
    if (!/^cowry_(process|nodejs)_/.test(name)) own.set(name, type)
  }
  for (const [, name, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    for (const [, label] of (labels ?? '').matchAll(/(\w+)="/g))
      samples.get(name as string)?.add(label as string)
  }
}

/** The metrics of an alert's expression; a recorded series counts as those that it is made of. */
const metricsOf = ({ expr }: { expr: string }): string[] =>
  metricsIn(expr).flatMap((name) => (recordings.has(name) ? metricsIn(recordings.get(name) ?? '') : [name]))

test('there is a dashboard for each reader', () => {
  expect(dashboards.map(([, { uid }]) => uid)).toEqual([
    'cowry-api',
    'cowry-chains',
    'cowry-money',
    'cowry-queues',
    'cowry-webhooks',
  ])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

describe.each(dashboards)('%s', (_file, dashboard) => {
  test('has a panel for every place, and no two overlap', () => {
    expect(new Set(dashboard.panels.map((panel) => panel.id)).size).toBe(dashboard.panels.length)
    const taken = new Map<string, string>()
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.get(`${x},${y}`)]).toEqual([title, undefined])
          taken.set(`${x},${y}`, title)
        }
      }
    }
  })

  test('uses the chosen data source, and only variables that it declares', () => {
    const variables = dashboard.templating.list.map(({ name }) => name)
    for (const panel of panelsOf(dashboard)) {
      for (const { uid } of [
        panel.datasource,
        ...(panel.targets ?? []).map((target) => target.datasource),
      ] as { uid: string }[])
        expect(uid).toMatch(/^\$\{datasource\}$/)
      for (const { url } of panel.links ?? []) expect(url).toMatch(/^\$\{docs\}\//)
    }
    const used = expressionsOf(panelsOf(dashboard)).flatMap(({ expr }) =>
      [...expr.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name),
    )
    for (const name of [...used, 'docs']) expect([...variables, '__rate_interval', '__range']).toContain(name)
    // One that nothing uses would only confuse.
    expect([...used, 'docs', 'datasource']).toEqual(expect.arrayContaining(variables))
  })

  test('has links from its panels to docs that exist, and to the runbooks of the alerts about what they show', () => {
    for (const panel of panelsOf(dashboard)) {
      const pages = (panel.links ?? []).map(({ url }) => url.slice('$'.length + '{docs}/'.length))
      expect(pages.length).toBeGreaterThan(0)
      for (const page of pages)
        expect([page, existsSync(join(root, 'docs', page.split('#')[0] ?? ''))]).toEqual([page, true])
      const shown = new Set((panel.targets ?? []).flatMap(({ expr }) => metricsIn(expr).map(withoutSuffix)))
      const about = alerts
        .filter((rule) => metricsOf(rule).some((name) => shown.has(withoutSuffix(name))))
        .map(runbookOf)
      expect([panel.title, pages]).toEqual([panel.title, expect.arrayContaining(about)])
    }
  })
})

test('each alert is about something that a panel shows', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr).map(withoutSuffix)))
  const invisible = alerts
    .filter((rule) => !metricsOf(rule).some((name) => shown.has(withoutSuffix(name))))
    .map(({ alert }) => alert)
  // Of Prometheus' own metric.
  expect(invisible).toEqual(['CowryProcessDown'])
})

/** Panels whose value is a quotient: without an event it is not a number, but it is there. */
const isQuotient = (expr: string) => /histogram_quantile|\//.test(expr)

describe('a fresh deployment', () => {
  let stack: Stack
  let uploads = ''
  let prometheus: Prometheus
  beforeAll(async () => {
    uploads = mkdtempSync(join(tmpdir(), 'cowry-uploads-'))
    stack = await createStack({
      confirmations: 2,
      chains: ['ethereum', 'polygon'],
      bridge: true,
      processes: ['treasury', 'cowry', 'verification'],
      env: { ETHEREUM_DAILY_LIMITS: 'USDC=1000', VERIFY_UPLOADS: uploads },
    })
    expect(stack.processes.size).toBe(3)
    prometheus = await startPrometheus({
      targets: [...stack.processes.values()].map((process) => process.metricsUrl()),
      rules: globSync('grafana/alerts/*.yml', { cwd: root }).map((file) => join(root, file)),
    })
    await prometheus.scraped(3)
  })
  afterAll(async () => {
    await prometheus?.close()
    await stack?.close()
    rmSync(uploads, { recursive: true, force: true })
  })

  test('has data for the query of every panel before its first payment', async () => {
    const missing: string[] = []
    for (const { title, expr } of expressions) {
      const filled = expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$__range', '1h')
        .replaceAll('$chain', '.*')
      const found = await prometheus.query(filled)
      if (found.length === 0 || (!isQuotient(expr) && found.some(({ value }) => value[1] === 'NaN')))
        missing.push(`${title}: ${expr}`)
    }
    expect(missing).toEqual([])
  })

  test('has every counter of alerts at 0, so that the first event is an increase', async () => {
    const counters = [...new Set(alerts.flatMap(metricsOf))].filter((name) => name.endsWith('_total'))
    expect(counters.length).toBeGreaterThan(10)
    for (const name of counters)
      expect([name, (await prometheus.query(name)).length > 0]).toEqual([name, true])
  })

  test('raises one alert: the opening balance at the partner is not booked yet', async () => {
    const raised = await waitFor('the comparison with the partner', async () => {
      const alerts = await prometheus.alerts()
      // How full the disk of this machine is does not matter here.
      const ours = alerts.filter(({ labels }) => labels.alertname !== 'CowryUploadsVolume')
      return ours.length > 0 && ours.map(({ labels }) => `${labels.alertname} ${labels.place}`)
    })
    expect(raised).toEqual(['CowryPartnerDisagrees balance'])
  })

  test('serves names that promtool accepts, next to old ones', async () => {
    const olds = [...renamedMetrics.values()].map(({ was }) => was)
    for (const process of stack.processes.values()) {
      const text = await (await fetch(process.metricsUrl())).text()
      const { output } = promtool(['check', 'metrics'], text)
      const complaints = output.split('\n').filter((line) => line !== '')
      expect(complaints.filter((line) => !olds.some((old) => line.startsWith(`${old} `)))).toEqual([])
      for (const name of olds.filter((old) => old.includes('nodejs')))
        expect(text).toContain(`# TYPE ${name} gauge`)
    }
  })

  describe('after a payment', () => {
    beforeAll(async () => {
      const session = await stack.createSession({ amount: '10' })
      await stack.send(session.address, 10_000_000n)
      await stack.mine(2)
      await stack.sessionIs(session.id, 'paid')
      await stack.idle()
      for (const process of stack.processes.values())
        readScrape(await (await fetch(process.metricsUrl())).text())
    })

    test.each(expressions)('has the metrics of "$title": $expr', ({ expr }) => {
      const asked = metricsIn(expr)
      expect(asked.length).toBeGreaterThan(0)
      for (const name of asked) expect([...samples.keys()]).toContain(name)
    })

    test('has the metrics of every alert', () => {
      for (const rule of alerts)
        for (const name of metricsOf(rule))
          if (name !== 'up')
            expect([rule.alert, [...samples.keys()]]).toEqual([rule.alert, expect.arrayContaining([name])])
    })

    test('has the labels that panels select and group by', () => {
      for (const { title, expr } of expressions) {
        for (const name of metricsIn(expr)) {
          const seen = samples.get(name) ?? new Set()
          // Without a sample yet (a rate) there is nothing to compare.
          if (seen.size === 0) continue
          for (const label of labelsIn(expr))
            if (!addedByPrometheus.has(label))
              expect([title, name, [...seen]]).toEqual([title, name, expect.arrayContaining([label])])
        }
      }
    })

    test('shows every metric of our own on a panel', () => {
      expect(own.size).toBeGreaterThan(25)
      const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)))
      const hidden = [...own]
        .filter(([name, type]) => !(suffixes[type] ?? ['']).some((suffix) => shown.has(name + suffix)))
        .map(([name]) => name)
      expect(hidden.filter((name) => ![...renamedMetrics.values()].some(({ was }) => was === name))).toEqual(
        [],
      )
    })

    test('has the chain that the variable of dashboards lists', () => {
      for (const [, { templating }] of dashboards) {
        const variable = templating.list.find(({ name }) => name === 'chain')
        if (!variable) continue
        const [, name, label] = /label_values\((\w+), (\w+)\)/.exec(variable.definition ?? '') ?? []
        expect(samples.get(name ?? '')).toContain(label)
      }
    })
  })
})
