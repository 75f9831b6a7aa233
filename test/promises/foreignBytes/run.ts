import type { Subject } from './subject.ts'
import { inputOf, outcomes, tryOne } from './tryOne.ts'

/**
 * Of the processor: other load on the machine does not count. An input is slow if it is so each time: a
 * collection of garbage is not its own.
 */
const slowMs = 1000
const times = 3
const maxHeldMb = 512

export interface Report {
  /** Inputs by subject and outcome. */
  counts: Map<string, Map<string, number>>
  /** One of each kind, with its seed. */
  failures: string[]
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Tries inputs one after the other, each made from its seed. */
export async function run(
  subjects: readonly Subject[],
  { firstSeed, inputs, maxFailures }: { firstSeed: number; inputs: number; maxFailures: number },
): Promise<Report> {
  const counts: Report['counts'] = new Map()
  const failures = new Map<string, string>()
  for (let seed = firstSeed; seed < firstSeed + inputs && failures.size < maxFailures; seed++) {
    const input = await inputOf(subjects, seed)
    const about = `seed ${seed}: ${input.subject.name}, ${input.read.name}, ${input.method}`
    const before = process.cpuUsage()
    const failed = (what: string, stack = '') =>
      failures.set(
        `${input.subject.name.slice(0, 6)} ${what.slice(0, 40)} ${/src\/\S+/.exec(stack)?.[0]}`,
        `${about}: ${what} ${stack}`,
      )
    const of = counts.get(input.subject.name) ?? new Map<string, number>()
    counts.set(input.subject.name, of)
    try {
      const outcome = await tryOne(input)
      of.set(outcome, (of.get(outcome) ?? 0) + 1)
    } catch (error) {
      failed(
        String((error as Error).message),
        (error as Error).stack
          ?.split('\n')
          .filter((line) => line.includes('/src/'))
          .slice(0, 3)
          .join('\n'),
      )
    }
    let ms = msSince(before)
    for (let again = 1; again < times && ms > slowMs; again++) {
      const start = process.cpuUsage()
      await tryOne(input).catch(() => undefined)
      ms = msSince(start)
    }
    if (ms > slowMs) failed(`took ${Math.round(ms)} ms of the processor`)
    const heldMb = process.memoryUsage().arrayBuffers / 2 ** 20
    if (heldMb > maxHeldMb) failed(`${Math.round(heldMb)} MB are held outside of the heap`)
  }
  return { counts, failures: [...failures.values()] }
}

/** The counts as a table. */
export const tableOf = ({ counts }: Report): string[][] => [
  ['reader', ...outcomes],
  ...[...counts].toSorted().map(([name, of]) => [name, ...outcomes.map((each) => String(of.get(each) ?? 0))]),
]
