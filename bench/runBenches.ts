import type { Figure, Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'

/** A requirement of a bench. */
export interface Need {
  /** @throws with a description of the missing part, and how to get it */
  check(scope: Scope): Promise<void> | void
}

export interface Bench {
  needs?: readonly Need[]
  /**
   * Returns its reports; several are yielded one by one, so that a later failure does not lose them.
   * @param scope closed after the bench
   * @param whole closed after all benches
   */
  measure(scope: Scope, whole: Scope): Promise<Report> | AsyncIterable<Report>
}

export type NamedBench = Bench & { name: string }

/** Results of a run so far. Printed however the run ends. */
export interface Run extends Report {
  figures: Figure[]
  notes: string[]
  /** Failed benches, each with its reason. */
  failures: { name: string; reason: string }[]
  /** Scope of the running bench. */
  current: Scope
  /** Starts no further bench. */
  stopped: boolean
  /** Reports progress. */
  say(text: string): void
}

export const createRun = (say: Run['say']): Run => ({
  figures: [],
  notes: [],
  failures: [],
  current: createScope(),
  stopped: false,
  say,
})

/** Checks all needs. @returns one line for each that is not met */
export async function missingNeeds(benches: readonly NamedBench[], scope: Scope): Promise<string[]> {
  const missing: string[] = []
  for (const { name, needs = [] } of benches)
    for (const need of needs)
      try {
        await need.check(scope)
      } catch (error) {
        missing.push(`${name} cannot run: ${reasonOf(error)}`)
      }
  return missing
}

/** Runs one bench after the other. A failing bench keeps its figures so far, and the next one starts. */
export async function runBenches(run: Run, benches: readonly NamedBench[], whole: Scope): Promise<void> {
  for (const { name, measure } of benches) {
    if (run.stopped) return
    run.current = createScope()
    try {
      for await (const { figures, notes } of reportsOf(measure(run.current, whole))) {
        run.figures.push(...figures)
        run.notes.push(...notes.map((note) => `${name}: ${note}`))
      }
    } catch (error) {
      // The run was stopped, which closed the resources of this bench.
      if (run.stopped) return
      run.say(`${name} failed: ${error instanceof Error ? error.stack : error}`)
      run.failures.push({ name, reason: reasonOf(error) })
      run.notes.push(`${name}: FAILED, its remaining figures are missing: ${reasonOf(error)}`)
    } finally {
      run.say(`${name}: closing`)
      await run.current.close()
    }
  }
}

async function* reportsOf(measured: Promise<Report> | AsyncIterable<Report>): AsyncGenerator<Report> {
  if (Symbol.asyncIterator in measured) yield* measured
  else yield await measured
}

/** The first line of each message, from the error to its root cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n')
  return error.cause === undefined ? line : `${line}: ${reasonOf(error.cause)}`
}
