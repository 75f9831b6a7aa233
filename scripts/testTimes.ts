import { program } from '../commands/program.ts'
import { areaOf, kindOf } from '../test/run/budget.ts'
import type { Tally } from '../test/run/recording.ts'
import { readReport, type SuiteReport } from '../test/run/times.ts'

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((all, { count, ms }) => ({ count: all.count + count, ms: all.ms + ms }), { count: 0, ms: 0 })
const shown = ({ count, ms }: Tally) => (count ? `${count} × ${seconds(ms / count)}` : '')

function merged(of: readonly Record<string, Tally>[]): [name: string, tally: Tally][] {
  const entries = Object.entries(
    Object.groupBy(
      of.flatMap((each) => Object.entries(each)),
      ([name]) => name,
    ),
  )
  return entries
    .map(([name, all = []]): [string, Tally] => [name, sum(all.map(([, tally]) => tally))])
    .sort(([, a], [, b]) => b.ms - a.ms)
}

const columns = ['wall s', 'own CPU s', 'children CPU s', 'waits s', 'process starts', 'clones', 'stacks']
const cells = (suites: readonly SuiteReport[]) => [
  seconds(suites.reduce((all, { wallMs }) => all + wallMs, 0)),
  ...(['own', 'children'] as const).map((part) =>
    suites.some(({ cpu }) => cpu)
      ? seconds(suites.reduce((all, { cpu }) => all + (cpu?.[part] ?? 0), 0))
      : '',
  ),
  seconds(sum(suites.flatMap(({ waits }) => Object.values(waits))).ms),
  shown(sum(suites.flatMap(({ starts }) => Object.values(starts)))),
  shown(sum(suites.map(({ clones }) => clones))),
  shown(sum(suites.map(({ stacks }) => stacks))),
]

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padStart(widths[i] ?? 0))).join('  ')}\n`
  process.stdout.write(`\n${title}\n${line(head)}${rows.map(line).join('')}`)
}

export const run = program('dev test-times', async ([which]) => {
  const report = readReport(which === 'whole' ? 'whole' : 'last')
  if (!report) {
    process.stderr.write('No run is recorded yet. Run npm test.\n')
    return 1
  }

  const groups = (by: (suite: SuiteReport) => string) =>
    Object.entries(Object.groupBy(report.suites, by))
      .map(([name, suites = []]) => ({
        name,
        suites,
        wallMs: suites.reduce((all, { wallMs }) => all + wallMs, 0),
      }))
      .sort((a, b) => b.wallMs - a.wallMs)
  const rowsOf = (by: (suite: SuiteReport) => string) =>
    groups(by).map(({ name, suites }) => [...cells(suites), `${name} (${suites.length})`])
  const folderOf = ({ file }: SuiteReport) => file.split('/').slice(0, -1).slice(0, 2).join('/')

  table(
    'Suites',
    [...columns, 'suite'],
    groups(({ file }) => file).map(({ name, suites }) => [
      ...cells(suites),
      suites[0]?.passed ? name : `${name} FAILED`,
    ]),
  )
  table('Folders', [...columns, 'folder (suites)'], rowsOf(folderOf))
  table(
    'Areas of the budget',
    [...columns, 'area (suites)'],
    rowsOf(({ file }) => areaOf(file)),
  )
  table(
    'Kinds',
    [...columns, 'kind (suites)'],
    rowsOf(({ file }) => kindOf(file)),
  )
  const tallies = (of: [string, Tally][]) =>
    of.slice(0, 25).map(([name, { count, ms }]) => [seconds(ms), String(count), seconds(ms / count), name])
  table('Waits', ['s', 'times', 's each', 'label'], tallies(merged(report.suites.map(({ waits }) => waits))))
  table(
    'Process starts',
    ['s', 'times', 's each', 'program'],
    tallies(merged(report.suites.map(({ starts }) => starts))),
  )
  const cpu = report.suites.reduce(
    (all, suite) => all + (suite.cpu?.own ?? 0) + (suite.cpu?.children ?? 0),
    0,
  )
  const postgres = report.postgres
    ? `, Postgres ${seconds(report.postgres.own + report.postgres.children)} s`
    : ''
  process.stdout.write(
    `\nThe run of ${report.startedAt}: ${seconds(report.wallMs)} s with ${report.workers} workers; CPU of suites and what they started ${seconds(cpu)} s${postgres}.\n`,
  )
  return 0
})
