import type { Figure, Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'

/** Something that a bench cannot do without. */
export interface Need {
  /** @throws with what is missing, and how to get it */
  check(scope: Scope): Promise<void> | void
}

export interface Bench {
  needs?: readonly Need[]
  /**
   * Gives what it measured; several reports come one by one, so that a later failure does not lose them.
   * @param scope closed after the bench
   * @param whole closed after all of them
   */
  measure(scope: Scope, whole: Scope): Promise<Report> | AsyncIterable<Report>
}

export type NamedBench = Bench & { name: string }

/** What a run has measured so far. It is printed however the run ends. */
export interface Run extends Report {
  figures: Figure[]
  notes: string[]
  /** Names of the benches that failed, with the reason of each. */
  failures: { name: string; reason: string }[]
  /** Of the bench that is running. */
  current: Scope
  /** No further bench begins. */
  stopped: boolean
  /** Takes what goes on. */
  say(text: string): void
}

export const createRun = (say: Run['say']): Run => ({ figures: [], notes: [], failures: [], current: createScope(), stopped: false, say })

/** One line for each need that is not met; all are checked. */
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

/** Runs one bench after the other. A bench that fails keeps what it had measured, and the next one begins. */
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
      // What it used was closed under it.
      if (run.stopped) return
      run.say(`${name} failed: ${error instanceof Error ? error.stack : error}`)
      run.failures.push({ name, reason: reasonOf(error) })
      run.notes.push(`${name}: FAILED, what it had not measured yet is missing: ${reasonOf(error)}`)
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

/** The first line of each message, from the error to what caused it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n')
  return error.cause === undefined ? line : `${line}: ${reasonOf(error.cause)}`
}
