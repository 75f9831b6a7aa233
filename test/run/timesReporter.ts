import { relative } from 'node:path'
import type { TestRun } from '../support/globalSetup.ts'
import { overBudget, readBudget } from './budget.ts'
import { cpuOfTree } from './processTree.ts'
import type { SuiteTimes } from './recording.ts'
import { type SuiteReport, saveReport } from './times.ts'

interface GlobalConfig {
  rootDir: string
  maxWorkers: number
  testPathPatterns: { patterns: string[] }
  onlyChanged: boolean
  onlyFailures: boolean
  testNamePattern?: string
  shard?: object
}

interface SuiteResult {
  testFilePath: string
  numFailingTests: number
  testExecError?: unknown
  /** Missing where the suite did not start. */
  times?: SuiteTimes
}

/**
 * Saves the durations of each suite, and names the areas that are over their budget. `npm run cowry -- dev test-times`
 * prints the rest.
 */
export default class TimesReporter {
  #config: GlobalConfig
  #suites: SuiteReport[] = []

  constructor(config: GlobalConfig) {
    this.#config = config
  }

  onTestFileResult(
    _test: unknown,
    { testFilePath, numFailingTests, testExecError, times }: SuiteResult,
  ): void {
    if (!times) return
    this.#suites.push({
      file: relative(this.#config.rootDir, testFilePath),
      passed: numFailingTests === 0 && !testExecError,
      ...times,
    })
  }

  onRunComplete(_contexts: unknown, { startTime }: { startTime: number }): void {
    const { maxWorkers, testPathPatterns, onlyChanged, onlyFailures, testNamePattern, shard } = this.#config
    const whole =
      testPathPatterns.patterns.length === 0 && !onlyChanged && !onlyFailures && !testNamePattern && !shard
    const wallMs = Date.now() - startTime
    const { cowryTestRun: run } = globalThis as { cowryTestRun?: TestRun }
    saveReport({
      startedAt: new Date(startTime).toISOString(),
      whole,
      wallMs,
      workers: maxWorkers,
      postgres: run?.postgres ? cpuOfTree(run.postgres.pid) : null,
      suites: this.#suites,
    })
    const over = overBudget(this.#suites, whole ? wallMs : null, readBudget())
    if (over.length > 0)
      process.stderr.write(
        `\nOver the budget of docs/testing.md:\n${over.map((line) => `  ${line}\n`).join('')}`,
      )
  }
}
