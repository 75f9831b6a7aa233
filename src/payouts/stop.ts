/** Why a pending outflow does not leave now. `ends`: it never will. */
export interface Stop {
  /** A stable code. */
  reason: string
  nextInMs: number
  ends: boolean
}
