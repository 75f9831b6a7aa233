import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createStack, type Stack } from '../support/stack.ts'

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: { expr: string; datasource: { uid: string } }[]
}

const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, '../../grafana/dashboards/cowry.json'), 'utf8')) as {
  uid: string
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}
const panels = dashboard.panels.filter((panel) => panel.type !== 'row')
const expressions = panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ title: panel.title, expr })))

/** Words of PromQL in our expressions that are not metrics. */
const words = new Set(['count', 'histogram_quantile', 'increase', 'max', 'min', 'rate', 'sum'])

/** The metrics that an expression uses. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\bby\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([name]) => name).filter((name) => !words.has(name))
}

/** The labels that an expression selects or groups by. */
function labelsIn(expr: string): string[] {
  const matchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
    [...(list ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
  )
  const groups = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list]) => (list ?? '').split(',').map((label) => label.trim()))
  return [...matchers, ...groups] as string[]
}

/** Labels that Prometheus adds and processes do not serve. */
const addedByPrometheus = new Set(['instance', 'job'])

/** Names of samples that processes serve, each with the labels of its samples. */
const samples = new Map<string, Set<string>>()
/** Metrics of our own, by the name in their `TYPE` line. */
const own = new Map<string, string>()

const suffixes: Record<string, string[]> = { histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }

function readScrape(text: string): void {
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm) as Iterable<RegExpExecArray & [string, string, string]>) {
    for (const suffix of suffixes[type] ?? ['']) if (!samples.has(name + suffix)) samples.set(name + suffix, new Set())
    if (!/^cowry_(process|nodejs)_/.test(name)) own.set(name, type)
  }
  for (const [, name, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    for (const [, label] of (labels ?? '').matchAll(/(\w+)="/g)) samples.get(name as string)?.add(label as string)
  }
}

describe('grafana/dashboards/cowry.json', () => {
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
    for (const panel of panels) {
      for (const { uid } of [panel.datasource, ...(panel.targets ?? []).map((target) => target.datasource)] as { uid: string }[])
        expect(uid).toMatch(/^\$\{datasource\}$/)
    }
    for (const { expr } of expressions)
      for (const [, name] of expr.matchAll(/\$\{?(\w+)/g)) expect([...variables, '__rate_interval', '__range']).toContain(name)
  })
})

describe('the metrics that the processes serve after a payment', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await createStack({ confirmations: 2, processes: ['treasury', 'cowry', 'verification'] })
    const session = await stack.createSession({ amount: '10' })
    await stack.send(session.address, 10_000_000n)
    await stack.mine(2)
    await stack.sessionIs(session.id, 'paid')
    await stack.idle()
    for (const process of stack.processes.values()) readScrape(await (await fetch(process.metricsUrl())).text())
    expect(stack.processes.size).toBe(3)
  })
  afterAll(() => stack?.close())

  test.each(expressions)('has the metrics of "$title": $expr', ({ expr }) => {
    const asked = metricsIn(expr)
    expect(asked.length).toBeGreaterThan(0)
    for (const name of asked) expect([...samples.keys()]).toContain(name)
  })

  test('has the labels that panels select and group by', () => {
    for (const { title, expr } of expressions) {
      for (const name of metricsIn(expr)) {
        const seen = samples.get(name) ?? new Set()
        // Without a sample yet (a reorg, a broken answer) there is nothing to compare.
        if (seen.size === 0) continue
        for (const label of labelsIn(expr))
          if (!addedByPrometheus.has(label)) expect([title, name, [...seen]]).toEqual([title, name, expect.arrayContaining([label])])
      }
    }
  })

  test('shows every metric of our own on a panel', () => {
    expect(own.size).toBeGreaterThan(25)
    const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)))
    const hidden = [...own].filter(([name, type]) => !(suffixes[type] ?? ['']).some((suffix) => shown.has(name + suffix))).map(([name]) => name)
    expect(hidden).toEqual([])
  })

  test('has the chain that the dashboard’s variable lists', () => {
    const [, name, label] =
      /label_values\((\w+), (\w+)\)/.exec(dashboard.templating.list.find((variable) => variable.name === 'chain')?.definition ?? '') ?? []
    expect(samples.get(name ?? '')).toContain(label)
  })
})
