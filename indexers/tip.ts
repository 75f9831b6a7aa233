/** Tracks when the chain's tip last moved. */
export interface Tip {
  moved(height: number): void
  /** Milliseconds since the tip last rose. */
  ageMs(): number
  isStale(): boolean
  /** The highest; null before the first. */
  height(): number | null
  /** A block could be read, or holds something that this version does not know. */
  read(isUnreadable: boolean): void
  isUnreadable(): boolean
}

export function createTip(afterMs: number, now: () => number = Date.now): Tip {
  let highest = -1
  let since = now()
  let unreadable = false
  return {
    moved(height) {
      if (height <= highest) return
      highest = height
      since = now()
    },
    ageMs: () => now() - since,
    isStale: () => now() - since > afterMs,
    height: () => (highest < 0 ? null : highest),
    read(isUnreadable) {
      unreadable = isUnreadable
    },
    isUnreadable: () => unreadable,
  }
}
