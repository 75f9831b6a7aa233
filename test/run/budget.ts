import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The budget of docs/testing.md: seconds of the suites of each area, and of a whole run on two cores. */
export interface Budget {
  totalSeconds: number
  areas: Record<string, number>
}

export type Kind = 'unit' | 'integration'

export const readBudget = (): Budget =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../budget.json'), 'utf8')) as Budget

export const kindOf = (file: string): Kind => (file.endsWith('.integration.test.ts') ? 'integration' : 'unit')

/** Unit tests are one area; integration suites belong to their folder. */
export function areaOf(file: string): string {
  if (kindOf(file) === 'unit') return 'unit'
  const [first = '', second = ''] = file.split('/')
  return first === 'test' ? `test/${second}` : first
}

/** The areas whose suites took too long, and the run as a whole if it ran all suites. */
export function overBudget(
  suites: readonly { file: string; wallMs: number }[],
  wholeRunMs: number | null,
  budget: Budget,
): string[] {
  const over = Object.entries(Object.groupBy(suites, ({ file }) => areaOf(file))).flatMap(
    ([area, of = []]) => {
      const seconds = of.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000
      const allowed = budget.areas[area] ?? 0
      return seconds > allowed ? [`${area}: ${Math.round(seconds)} s of ${allowed} s`] : []
    },
  )
  const total = (wholeRunMs ?? 0) / 1000
  return total > budget.totalSeconds
    ? [...over, `the whole run: ${Math.round(total)} s of ${budget.totalSeconds} s`]
    : over
}
