import type { Db } from '../src/platform/db.ts'
import { openModelDb } from '../src/platform/modelDb.ts'

/** How Postgres did what was asked: of all statements together. */
export interface Looked {
  statements: number
  /** Rows and index entries that were looked at, those that were thrown away included. */
  rows: number
  /** Scans that went through a whole table of more than a thousand rows, and sorts of as many. */
  offences: string[]
}

/** A node of EXPLAIN's JSON; its numbers are of one loop. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Of rows: fewer are read as quickly without an index, and a page of them is sorted in no time. */
const few = 1000

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  // Sequelize asks to hear of nothing less.
  'auto_explain.log_level': 'warning',
}

/**
 * Runs what the product runs, and has Postgres tell how it did each statement: the very ones, with their values.
 * @param url of a superuser
 */
export async function watchPlans(url: string, work: (db: Db) => Promise<unknown>): Promise<Looked> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const db = openModelDb(`${url}?options=${encodeURIComponent(options.join(' '))}`, 1)
  const plans: PlanNode[] = []
  db.sequelize.addHook('afterConnect', (connection) => {
    ;(connection as { on(event: 'notice', heard: (notice: { message?: string }) => void): void }).on('notice', ({ message = '' }) => {
      const json = /plan:\s*(\{[\s\S]*\})\s*$/.exec(message)?.[1]
      if (json) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan)
    })
  })
  try {
    // What a new connection does is no part of it.
    await db.query('select 1')
    plans.length = 0
    await work(db)
    if (plans.length === 0) throw new Error('Postgres told of no plan')
    return plans.map(lookedBy).reduce((sum, each) => ({
      statements: sum.statements + each.statements,
      rows: sum.rows + each.rows,
      offences: [...sum.offences, ...each.offences],
    }))
  } finally {
    await db.close()
  }
}

function lookedBy(plan: PlanNode): Looked {
  const looked: Looked = { statements: 1, rows: 0, offences: [] }
  const visit = (node: PlanNode) => {
    const kind = node['Node Type']
    const rows = rowsOf(node)
    if (/Scan$/.test(kind) && !/^(Function|Values|Subquery|CTE|WorkTable) /.test(kind)) looked.rows += rows
    if (kind === 'Seq Scan' && rows > few) looked.offences.push(`whole of ${node['Relation Name']}`)
    const sorted = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
    if (/Sort$/.test(kind) && sorted > few) looked.offences.push(`sort of ${sorted.toLocaleString('en')} rows`)
    for (const each of node.Plans ?? []) visit(each)
  }
  visit(plan)
  return looked
}

const rowsOf = (node: PlanNode): number =>
  Math.round(
    ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * (node['Actual Loops'] ?? 1),
  )
