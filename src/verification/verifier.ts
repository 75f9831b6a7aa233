import type { Outcome, RequestKind } from './model.ts'
import type { Person } from './personData.ts'

interface CheckRequest {
  /** Cowry's own. Called with it again, a verifier gives the same answer and counts one check. */
  id: string
  kind: RequestKind
  /** Of verifications alone, as `idType`. */
  country: string | null
  idType: string | null
  person: Person
}

export interface VerifierAnswer {
  id: string
  outcome: Outcome
}

/** A company that checks identities. */
export interface Verifier {
  name: string
  /**
   * Makes a check.
   * @param signal aborted when Cowry no longer waits: the outcome is unknown then, and is requested again
   * @returns the outcome, with the id that it is for; all of them where it answered more than once: the first
   * counts
   * @throws if there is no outcome yet
   */
  check(request: CheckRequest, signal: AbortSignal): Promise<VerifierAnswer | VerifierAnswer[]>
}
