/**
 * Limits how many failing endpoints a worker delivers to at once: endpoints that hang or fail share these
 * places, so that healthy endpoints never wait for them.
 */
export interface Bulkhead {
  /** @returns a permit, or null if all are taken; then one holder is notified to give up its permit */
  acquire(): Permit | null
  /** Records whether an endpoint was failing when it was last seen. */
  note(endpointId: string, troubled: boolean): void
  /**
   * True if a failing endpoint would get no permit now, so that claiming for it is pointless. Counts as a
   * request for a permit.
   * @param isTroubled called only if the endpoint was failing when last seen here and the bulkhead is full:
   * it may have
   *   recovered elsewhere
   */
  refuses(endpointId: string, isTroubled: () => Promise<boolean>): Promise<boolean>
  /** Number of permits in use. */
  used(): number
}

export interface Permit {
  /** True if a request for a permit was refused since; each refusal is reported to one holder only. */
  isWanted(): boolean
  release(): void
}

export function createBulkhead(places: number): Bulkhead {
  const inTrouble = new Set<string>()
  let used = 0
  let refused = 0
  const isFull = () => {
    if (used < places) return false
    // At most one round of permits is owed: refused endpoints come again.
    refused = Math.min(refused + 1, places)
    return true
  }
  return {
    note(endpointId, troubled) {
      if (troubled) inTrouble.add(endpointId)
      else inTrouble.delete(endpointId)
    },
    async refuses(endpointId, isTroubled) {
      if (!inTrouble.has(endpointId) || used < places) return false
      if (await isTroubled()) return isFull()
      inTrouble.delete(endpointId)
      return false
    },
    acquire() {
      if (isFull()) return null
      used++
      let held = true
      return {
        isWanted() {
          if (refused === 0) return false
          refused--
          return true
        },
        release() {
          if (held) used--
          held = false
        },
      }
    },
    used: () => used,
  }
}

/** Acquires and releases one endpoint's permit. */
export interface PermitHolder {
  /** True if a failing endpoint may be attempted now. */
  mayAttempt(): boolean
  /** Call after an attempt: gives up the permit if another endpoint wants one. */
  attempted(): void
  /**
   * Acquires a permit for a failing endpoint if one is free, or releases that of a healthy one.
   * @returns true if it has just got a permit
   */
  report(troubled: boolean): boolean
  release(): void
}

export function createPermitHolder(bulkhead: Bulkhead): PermitHolder {
  let permit: Permit | null = null
  let gaveWay = false
  const release = () => {
    permit?.release()
    permit = null
  }
  return {
    release,
    mayAttempt: () => permit !== null && !gaveWay,
    attempted() {
      gaveWay ||= permit?.isWanted() ?? false
    },
    report(troubled) {
      if (!troubled) {
        release()
        gaveWay = false
        return false
      }
      if (permit !== null || gaveWay) return false
      permit = bulkhead.acquire()
      gaveWay = permit === null
      return !gaveWay
    },
  }
}
