/** How slowly a body may arrive. */
export interface Pace {
  /** A sender who sends nothing for so long is refused. */
  idleMs: number
  /** The floor of the rate, in bytes per second. */
  minRate: number
  /** A sender may be below the floor for so long. */
  spareMs: number
}

const checkMs = 250

/**
 * Watches that a body arrives. Time in which this process is the slower one does not count.
 * @param late called once, with whether nothing came at all
 */
export function watchPace(
  { idleMs, minRate, spareMs }: Pace,
  isBlocked: () => boolean,
  late: (isIdle: boolean) => void,
) {
  let idle = 0
  let spare = spareMs
  let checked = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      const passed = now - checked
      checked = now
      if (isBlocked()) return
      idle += passed
      spare -= passed
      if (idle < idleMs && spare > 0) return
      clearInterval(timer)
      late(idle >= idleMs)
    },
    Math.min(checkMs, idleMs / 4, spareMs / 4),
  )
  return {
    arrived(bytes: number): void {
      idle = 0
      spare = Math.min(spareMs, spare + (bytes / minRate) * 1000)
    },
    end: () => clearInterval(timer),
  }
}
