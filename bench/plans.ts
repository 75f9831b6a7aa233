import type { Db } from '../src/platform/database/db.ts'
import { openModelDb } from '../src/platform/database/modelDb.ts'

/** Summary of the plans of all statements together. */
export interface PlanSummary {
  statements: number
  /** Examined rows and index entries, including those removed by filters. */
  rows: number
  /** Full scans of tables with more than a thousand rows, and sorts of as many. */
  offences: string[]
  /** Pages of 8 kB that were read, from memory or not. */
  buffers: number
  /** Scans of the most rows, as EXPLAIN has them. */
  scans: string[]
}

/** A node of EXPLAIN's JSON; its numbers are per loop. */
export interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Rows: smaller tables are read as fast without an index, and smaller sorts cost nothing. */
const smallTable = 1000
const shownFrom = 100

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  // Sequelize sets client_min_messages to warning.
  'auto_explain.log_level': 'warning',
}

/**
 * Runs `work` and collects the plans that Postgres logs for its statements, with their values.
 * @param url of a superuser
 */
export async function watchPlans(url: string, work: (db: Db) => Promise<unknown>): Promise<PlanSummary> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const db = openModelDb(`${url}?options=${encodeURIComponent(options.join(' '))}`, 1)
  const plans: PlanNode[] = []
  db.sequelize.addHook('afterConnect', (connection) => {
    ;(connection as { on(event: 'notice', listener: (notice: { message?: string }) => void): void }).on(
      'notice',
      ({ message = '' }) => {
        const json = /plan:\s*(\{[\s\S]*\})\s*$/.exec(message)?.[1]
        if (json) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan)
      },
    )
  })
  try {
    // Statements of a new connection do not count.
    await db.query('select 1')
    plans.length = 0
    await work(db)
    if (plans.length === 0) throw new Error('Postgres reported no plan: is auto_explain installed?')
    return plans.map(summaryOf).reduce(sumOf)
  } finally {
    await db.close()
  }
}

export const sumOf = (sum: PlanSummary, each: PlanSummary): PlanSummary => ({
  statements: sum.statements + each.statements,
  rows: sum.rows + each.rows,
  offences: [...sum.offences, ...each.offences],
  buffers: sum.buffers + each.buffers,
  scans: [...sum.scans, ...each.scans],
})

export function summaryOf(plan: PlanNode): PlanSummary {
  const summary: PlanSummary = { statements: 1, rows: 0, offences: [], buffers: buffersOf(plan), scans: [] }
  const visit = (node: PlanNode) => {
    const kind = node['Node Type']
    const rows = rowsOf(node)
    if (/Scan$/.test(kind) && !/^(Function|Values|Subquery|CTE|WorkTable) /.test(kind)) summary.rows += rows
    if (/Scan$/.test(kind) && node['Relation Name'] && rows >= shownFrom)
      summary.scans.push(
        `${kind} of ${node['Index Name'] ?? node['Relation Name']}: ${rows.toLocaleString('en')} rows, ${buffersOf(node).toLocaleString('en')} buffers`,
      )
    if (kind === 'Seq Scan' && rows > smallTable)
      summary.offences.push(`full scan of ${node['Relation Name']}`)
    const sorted = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
    if (/Sort$/.test(kind) && sorted > smallTable)
      summary.offences.push(`sort of ${sorted.toLocaleString('en')} rows`)
    for (const each of node.Plans ?? []) visit(each)
  }
  visit(plan)
  return summary
}

const buffersOf = (node: PlanNode): number =>
  (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)

const rowsOf = (node: PlanNode): number =>
  Math.round(
    ((node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
      (node['Actual Loops'] ?? 1),
  )
