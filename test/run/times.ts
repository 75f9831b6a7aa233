import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeCpu } from './processTree.ts'
import type { SuiteTimes } from './recording.ts'

export interface SuiteReport extends SuiteTimes {
  /** Its path from the root of the project. */
  file: string
  passed: boolean
}

export interface RunReport {
  startedAt: string
  /** True if all suites ran, without a pattern. */
  whole: boolean
  wallMs: number
  workers: number
  /** Null where the system has no `/proc`, or no suite used Postgres. */
  postgres: TreeCpu | null
  suites: SuiteReport[]
}

const folder = join(import.meta.dirname, '../../node_modules/.cache/cowry')
const fileOf = (which: 'last' | 'whole') =>
  join(folder, which === 'last' ? 'test-times.json' : 'test-times-whole.json')

export function saveReport(report: RunReport): void {
  mkdirSync(folder, { recursive: true })
  for (const which of report.whole ? (['last', 'whole'] as const) : (['last'] as const))
    writeFileSync(fileOf(which), JSON.stringify(report))
}

/** The report of the last run, or of the last run of all suites. */
export function readReport(which: 'last' | 'whole'): RunReport | null {
  return existsSync(fileOf(which)) ? (JSON.parse(readFileSync(fileOf(which), 'utf8')) as RunReport) : null
}
