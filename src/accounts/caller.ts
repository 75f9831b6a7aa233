import type { KeyInUse } from '../apiKeys/findKey.ts'
import type { Scope } from '../apiKeys/model.ts'
import type { Actor } from '../audit/recordAudit.ts'
import type { Factor } from './factor.ts'
import type { Approval } from './models.ts'

/** A member's role: a viewer reads, a developer changes, an owner also decides about people and payments. */
export type Role = 'owner' | 'developer' | 'viewer'

const ranks: readonly Role[] = ['viewer', 'developer', 'owner']

/** True when a role includes everything that another one allows. */
export const includesRole = (role: Role, min: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(min)

/** The sender of a request, and the business that it is for. */
export interface Caller {
  /** Empty where the operation is not about a business. */
  businessId: string
  scope: Scope
  actor: Actor
  business: { id: string; name: string; approval: Approval } | null
  /** A person, with an access token or in the dashboard. */
  account: { id: string; email: string; operator: boolean; role: Role | null; signInId: string; factor: Factor | null } | null
  /** A program. */
  apiKey: KeyInUse | null
}
