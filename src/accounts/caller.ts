import type { KeyInUse } from '../apiKeys/findKey.ts'
import type { Scope } from '../apiKeys/model.ts'
import type { Actor } from '../audit/recordAudit.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { Role } from '../members/role.ts'
import type { Factor } from './factor.ts'

/** The sender of a request, and the business that it is for. */
export interface Caller {
  /** Empty where the operation is not about a business. */
  businessId: string
  scope: Scope
  actor: Actor
  business: { id: string; name: string; approval: Approval } | null
  /** A person, with an access token or in the dashboard. */
  account: {
    id: string
    email: string
    operator: boolean
    role: Role | null
    signInId: string
    /** Milliseconds since 1970; null in the dashboard, whose sessions are checked. */
    tokenExpiresAt: number | null
    factor: Factor | null
    /** The account has a second factor, and the sign-in has not shown one in the last minutes. */
    factorIsStale: boolean
  } | null
  /** A program. */
  apiKey: KeyInUse | null
  /** With a credential that is published, as in the source of a web site: the sender is unknown. */
  isPublic?: boolean
}
