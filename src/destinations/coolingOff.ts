/** The cooling-off time of a business's new destinations. */
export interface CoolingOff {
  hours: number
  /** A shorter time that was requested. */
  next: { hours: number; from: Date } | null
}

export const usualCoolingOff: CoolingOff = { hours: 24, next: null }

const hourMs = 3_600_000

/**
 * A longer time applies at once. A shorter one applies when the present one has passed: a thief of an owner's
 * session waits as long as for a new destination. A second request that is no shorter than the first keeps
 * its moment.
 */
export function changedCoolingOff({ hours, next }: CoolingOff, wanted: number, at: Date): CoolingOff {
  if (wanted >= hours) return { hours: wanted, next: null }
  const from = next !== null && wanted >= next.hours ? next.from : new Date(at.getTime() + hours * hourMs)
  return { hours, next: { hours: wanted, from } }
}

/** The time that applies at a moment. */
export const coolingOffAt = ({ hours, next }: CoolingOff, at: Date): CoolingOff =>
  next !== null && next.from <= at ? { hours: next.hours, next: null } : { hours, next }
