import { progress } from './progress.ts'

/** A figure over all rounds. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/**
 * Nearest-rank quantile, so that p99 of 200 is a measured value; the median of an even count is the mean of
 * the middle two.
 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  if (q === 0.5 && sorted.length % 2 === 0)
    return ((sorted[sorted.length / 2 - 1] ?? Number.NaN) + (sorted[sorted.length / 2] ?? Number.NaN)) / 2
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

/** Figures of each round, by name. */
export type Series<K extends string> = Record<K, number[]>

/**
 * Runs every contender in each round, so that other load on the machine affects all of them alike. Drops the
 * warm-up rounds.
 * @param round returns the figures of all contenders
 */
export async function interleave<K extends string>(
  label: string,
  options: { rounds: number; warmUp: number },
  round: (index: number) => Promise<Record<K, number>>,
): Promise<Series<K>> {
  const series = {} as Series<K>
  for (let index = -options.warmUp; index < options.rounds; index++) {
    if (index < 0 ? index === -options.warmUp : index % Math.ceil(options.rounds / 10) === 0)
      progress(`${label}: ${index < 0 ? 'warm-up' : `round ${index + 1} of ${options.rounds}`}`)
    const figures = await round(index)
    if (index < 0) continue
    for (const key of Object.keys(figures) as K[]) {
      series[key] ??= []
      series[key].push(figures[key])
    }
  }
  return series
}

/** The spread of `a / b`, round by round. */
export const ratio = (a: readonly number[], b: readonly number[]): Spread =>
  spread(a.map((value, i) => value / (b[i] ?? Number.NaN)))

export interface Timed<T> {
  ms: number
  /** CPU time of this thread: more reliable than the clock on a busy machine. */
  cpuMs: number
  result: T
}

export async function timed<T>(work: () => T | Promise<T>): Promise<Timed<T>> {
  const cpu = process.threadCpuUsage()
  const started = performance.now()
  const result = await work()
  const ms = performance.now() - started
  const { user, system } = process.threadCpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000, result }
}

/** Bytes of heap and array buffers after garbage collection. */
export async function heldBytes(): Promise<number> {
  if (!globalThis.gc)
    throw new Error('global.gc is missing: start benches with npm run bench, which sets --expose-gc')
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
