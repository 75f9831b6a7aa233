import type { Gauge } from 'prom-client'

type Labels = Record<string, string>

/** The series of a gauge set by one collector. */
export interface Collected {
  set(value: number): void
  set(labels: Labels, value: number): void
  /** Removes the series set by this collector. */
  reset(): void
  /** Removes them and sets these to 0: values that a query returns no row for. */
  resetTo(zeros: readonly Labels[]): void
}

const collectWithinMs = 1000

/** One reader of a shared gauge: it sets and removes only its own series. */
export function createCollector(
  gauge: Pick<Gauge, 'set' | 'remove'>,
  collect: (gauge: Collected) => void | Promise<void>,
) {
  const own = new Map<string, Labels>()
  const clear = () => {
    for (const labels of own.values()) gauge.remove(labels)
    own.clear()
  }
  const collected: Collected = {
    set(first: number | Labels, value?: number) {
      const labels = typeof first === 'number' ? {} : first
      own.set(JSON.stringify(labels), labels)
      gauge.set(labels, typeof first === 'number' ? first : (value ?? 0))
    },
    reset: clear,
    resetTo(zeros) {
      clear()
      for (const labels of zeros) collected.set(labels, 0)
    },
  }
  return {
    clear,
    /** Reads within a second. A reader that fails or is late leaves no old values. */
    async read(): Promise<void> {
      const late = new Promise<'late'>((resolve) => {
        setTimeout(() => resolve('late'), collectWithinMs).unref()
      })
      const outcome = await Promise.race([
        (async () => collect(collected))().catch(() => 'late' as const),
        late,
      ])
      if (outcome === 'late') clear()
    },
  }
}
