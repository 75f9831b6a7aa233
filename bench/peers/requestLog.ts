/**
 * Requests that a node got since the last `reset`, from the node's own log, so that no proxy slows the
 * contender.
 */
export interface RequestLog {
  reset(): void
  counts(): Record<string, number>
  /** `performance.now()` of the first call of a method for events; null: no call yet. */
  firstForEvents(): number | null
}

/** @returns the log, and a reader for the output of an anvil that logs each request's method on a line */
export function createRequestLog(): { requests: RequestLog; read: (text: string) => void } {
  let rest = ''
  let counts = new Map<string, number>()
  let first: number | null = null
  return {
    requests: {
      reset() {
        counts = new Map()
        first = null
      },
      counts: () => Object.fromEntries(counts),
      firstForEvents: () => first,
    },
    read(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!/^(eth|net|web3|debug|trace)_\w+$/.test(line)) continue
        counts.set(line, (counts.get(line) ?? 0) + 1)
        if (line === 'eth_getLogs' || line === 'eth_getBlockReceipts') first ??= performance.now()
      }
    },
  }
}
