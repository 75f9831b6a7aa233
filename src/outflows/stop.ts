import type { Release } from './ends/waysToEnd.ts'

/** Why a pending outflow does not leave now. */
export interface Stop {
  /** A stable code. */
  reason: string
  nextInMs: number
  /** The way in which it ends; false: it waits. */
  ends: Release | false
}
