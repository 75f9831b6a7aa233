/** What a node was asked for since the last `reset`, by what it says itself: so nobody stands between it and who asks. */
export interface RequestLog {
  reset(): void
  counts(): Record<string, number>
  /** `performance.now()` when a method for events was first asked for; null: not yet. */
  firstForEvents(): number | null
}

/** @returns the log, and what takes the output of an anvil that logs each request's method on a line */
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
