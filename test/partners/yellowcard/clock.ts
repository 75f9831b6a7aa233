/** A clock that a test can move. */
export interface Clock {
  now(): number
  move(ms: number): void
}

/** @param still it stands, and only moves by `move`; otherwise it runs */
export function createClock(still: boolean): Clock {
  const begun = Date.now()
  let moved = 0
  return {
    now: () => (still ? begun : Date.now()) + moved,
    move: (ms) => {
      moved += ms
    },
  }
}
