/** Until when a replica has replayed, as this process knows it. Times are of one clock, in milliseconds. */
export interface ReplicaProgress {
  /** The primary's log ended here at this time: what was committed before it is below this position. */
  primaryAt(at: number, position: bigint): void
  /** The replica has replayed up to here. */
  replicaAt(position: bigint): void
  /** All that was committed before this time is in the replica; -Infinity: not known. */
  replayedUntil(): number
  /** The replica cannot be read: nothing is known of it until it is seen again. */
  lose(): void
}

/**
 * Minutes at any pause between two checks. The age of a replica that is later than that only grows; it cannot
 * be read anyway.
 */
const maxKept = 1200

/**
 * Positions in the log are compared, and times only of this process: neither the clocks of other machines nor
 * a primary without writes, whose last commit is old, make a replica seem late.
 */
export function createReplicaProgress(): ReplicaProgress {
  let waiting: { at: number; position: bigint }[] = []
  let until = Number.NEGATIVE_INFINITY
  return {
    primaryAt(at, position) {
      waiting.push({ at, position })
      if (waiting.length > maxKept) waiting.shift()
    },
    replicaAt(position) {
      const reached = waiting.filter((each) => each.position <= position)
      until = Math.max(until, ...reached.map(({ at }) => at))
      waiting = waiting.filter((each) => each.at > until)
    },
    replayedUntil: () => until,
    lose() {
      waiting = []
      until = Number.NEGATIVE_INFINITY
    },
  }
}
