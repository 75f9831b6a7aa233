import type { Queryable } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Decided } from './decideApproval.ts'
import type { SettingName } from './protections.ts'

/** The effect of a decision about one setting. */
export type DecidedSetting = Pick<Decided, 'whyOver' | 'approved'>

/** By setting, loaded on demand. */
export type SettingSources = Readonly<Record<SettingName, () => Promise<DecidedSetting>>>

/** The subjects of approvals as the dashboard shows them, by id; those of other capabilities are left out. */
export type ShowSubjects = (
  ctx: { db: Queryable; appKey: Secret },
  businessId: string,
  approvals: readonly { subject: string; subjectId: string }[],
) => Promise<ReadonlyMap<string, object>>

/** What capabilities bring to approvals (`approvals` in their `capability.ts`). */
export interface ApprovalSources {
  settings: SettingSources
  subjects: readonly (() => Promise<ShowSubjects>)[]
}
