import type { KeyInUse } from '../apiKeys/findKey.ts'
import type { Scope } from '../apiKeys/model.ts'
import type { Actor } from '../audit/recordAudit.ts'
import type { Factor } from './factor.ts'
import type { Approval } from './models.ts'

/** What a member of a business may do: a viewer looks, a developer changes, an owner also decides about people and payments. */
export type Role = 'owner' | 'developer' | 'viewer'

const ranks: readonly Role[] = ['viewer', 'developer', 'owner']

/** Whether a role includes all that another one allows. */
export const includesRole = (role: Role, min: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(min)

/** Who is calling, and for which business. */
export interface Caller {
  /** Empty where the operation is about no business. */
  businessId: string
  scope: Scope
  actor: Actor
  business: { id: string; name: string; approval: Approval } | null
  /** A person, with an access token or in the dashboard. */
  account: { id: string; email: string; operator: boolean; role: Role | null; signInId: string; factor: Factor | null } | null
  /** A program. */
  apiKey: KeyInUse | null
}
