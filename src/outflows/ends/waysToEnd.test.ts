import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { nextStatuses } from '../nextStatuses.ts'
import type { OutflowStatus } from '../outflow.ts'
import { releases, type Way, waysToEnd } from './waysToEnd.ts'

const ways = Object.entries(waysToEnd) as [string, Way][]

const restored: Record<Way['whileRestored'], string> = { happens: 'happens', refused: '409', waits: 'waits' }
const cells = ways.map(([name, { by, kinds, from, to, when, whileRestored }]) => [
  `\`${name}\``,
  kinds.length === 4 ? 'all' : kinds.join(', '),
  from.map((each) => `\`${each}\``).join(', '),
  `\`${to}\``,
  by,
  when,
  restored[whileRestored],
])
const head = ['way', 'of', 'from', 'to', 'by', 'when', 'restored']

/** The table of docs/payouts.md, as the formatter of docs aligns it. */
function table(): string {
  const rows = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join(
    '\n',
  )
}

test('docs/payouts.md has a row for each way in which a reservation ends', () => {
  expect(readFileSync('docs/payouts.md', 'utf8')).toContain(table())
})

test('each way leads where the states allow it, and each end has a way', () => {
  for (const [name, { from, to }] of ways)
    for (const status of from)
      expect([name, status, nextStatuses[status]]).toContainEqual(expect.arrayContaining([to]))
  const ends = (Object.entries(nextStatuses) as [OutflowStatus, OutflowStatus[]][]).flatMap(([from, next]) =>
    next.filter((to) => ['completed', 'failed', 'cancelled'].includes(to)).map((to) => `${from} ${to}`),
  )
  expect(ends.toSorted()).toEqual(
    [...new Set(ways.flatMap(([, { from, to }]) => from.map((each) => `${each} ${to}`)))].toSorted(),
  )
})

test('no release happens while the database is restored', () => {
  for (const { whileRestored } of Object.values(releases))
    expect(['refused', 'waits']).toContain(whileRestored)
})
