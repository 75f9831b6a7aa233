import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'

/** What was read of a person: all data, the list of files with them, or a file. */
export type PersonalRead = 'verification.exported' | 'verification.media_read' | 'verification.result_read'

/** Records that personal data are given out. Without the entry they are not. */
export const auditRead = (
  { db }: { db: Db },
  { actor, businessId }: { actor: Actor; businessId: string },
  action: PersonalRead,
  target: string,
): Promise<void> => db.tx((tx) => recordAudit(tx, actor, { businessId, action, target }))
