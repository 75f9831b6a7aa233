/**
 * The places that a worker has for endpoints in trouble: what hangs or fails holds these and no other, so that whoever answers
 * well never waits for it.
 */
export interface Bulkhead {
  /** @returns a place, or null where all are taken; then one of those who hold a place is asked to give way. */
  enter(): Place | null
  /** Remembers which endpoints were in trouble when they were last seen. */
  note(endpointId: string, troubled: boolean): void
  /**
   * Whether an endpoint in trouble finds no place now: there is no need to claim for it. It counts as having asked.
   * @param isTroubled asked only of one that was in trouble when it was last seen here, while the lane is full: it may have recovered elsewhere
   */
  turnsAway(endpointId: string, isTroubled: () => Promise<boolean>): Promise<boolean>
  /** How many are taken. */
  used(): number
}

export interface Place {
  /** Whether somebody has asked in vain since. Told once to one of them. */
  wanted(): boolean
  leave(): void
}

export function createBulkhead(places: number): Bulkhead {
  const inTrouble = new Set<string>()
  let used = 0
  let refused = 0
  const isFull = () => {
    if (used < places) return false
    // More than one turn of all places is not owed: those who were refused come again.
    refused = Math.min(refused + 1, places)
    return true
  }
  return {
    note(endpointId, troubled) {
      if (troubled) inTrouble.add(endpointId)
      else inTrouble.delete(endpointId)
    },
    async turnsAway(endpointId, isTroubled) {
      if (!inTrouble.has(endpointId) || used < places) return false
      if (await isTroubled()) return isFull()
      inTrouble.delete(endpointId)
      return false
    },
    enter() {
      if (isFull()) return null
      used++
      let held = true
      return {
        wanted() {
          if (refused === 0) return false
          refused--
          return true
        },
        leave() {
          if (held) used--
          held = false
        },
      }
    },
    used: () => used,
  }
}

/** One endpoint's way through the lane. */
export interface Passage {
  /** Whether an endpoint in trouble may be asked now. */
  open(): boolean
  /** An attempt was made: whoever has a place gives it to others who want one. */
  attempted(): void
  /**
   * The endpoint is in trouble or not: it takes a place where there is one, or gives back the one that it has.
   * @returns whether it has just got a place
   */
  judge(troubled: boolean): boolean
  leave(): void
}

export function passThrough(bulkhead: Bulkhead): Passage {
  let place: Place | null = null
  let gaveWay = false
  const leave = () => {
    place?.leave()
    place = null
  }
  return {
    leave,
    open: () => place !== null && !gaveWay,
    attempted() {
      gaveWay ||= place?.wanted() ?? false
    },
    judge(troubled) {
      if (!troubled) {
        leave()
        gaveWay = false
        return false
      }
      if (place !== null || gaveWay) return false
      place = bulkhead.enter()
      gaveWay = place === null
      return !gaveWay
    },
  }
}
