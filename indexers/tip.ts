/** Tracks when the chain's tip last moved. */
export interface Tip {
  moved(height: number): void
  /** Milliseconds since the tip last rose. */
  ageMs(): number
  isStale(): boolean
}

export function createTip(afterMs: number, now: () => number = Date.now): Tip {
  let highest = -1
  let since = now()
  return {
    moved(height) {
      if (height <= highest) return
      highest = height
      since = now()
    },
    ageMs: () => now() - since,
    isStale: () => now() - since > afterMs,
  }
}
