import { progress } from './progress.ts'

/** What a figure was over the rounds. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** The nearest-rank quantile, so that p99 of 200 is a value that was measured; the median of an even number is the mean of its middle two. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  if (q === 0.5 && sorted.length % 2 === 0) return ((sorted[sorted.length / 2 - 1] ?? Number.NaN) + (sorted[sorted.length / 2] ?? Number.NaN)) / 2
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

/** Each round's figures, by name. */
export type Series<K extends string> = Record<K, number[]>

/**
 * Runs rounds in each of which every contender has its turn, so that whatever else the machine does meets them all.
 * The first rounds warm up and are dropped.
 * @param round gives the figures of all contenders
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
export const ratio = (a: readonly number[], b: readonly number[]): Spread => spread(a.map((value, i) => value / (b[i] ?? Number.NaN)))

export interface Timed<T> {
  ms: number
  /** What this thread computed in that time: says more than the clock where others compute as well. */
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

/** Bytes that this process holds for its data, garbage collected. */
export async function heldBytes(): Promise<number> {
  if (!globalThis.gc) throw new Error('run it by npm run bench: it needs --expose-gc')
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
