import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { lockPartner } from './lockPartner.ts'

export interface PartnerPause {
  reason: string
  by: string
  since: Date
}

/** Null while payouts through a partner are not paused. */
export async function pauseOf(db: Queryable, partner: string): Promise<PartnerPause | null> {
  const [pause] = await db.query<PartnerPause>(
    'select reason, paused_by as by, paused_at as since from partner_pauses where partner = $1 and resumed_at is null',
    [partner],
  )
  return pause ?? null
}

/**
 * Pauses payouts through a partner. Once this is answered, no payout is submitted that was not before.
 * Audited; a pause keeps its first reason.
 */
export async function pausePartner(
  { db }: { db: Db },
  actor: Actor,
  partner: string,
  reason: string,
): Promise<void> {
  await db.tx(async (tx) => {
    await lockPartner(tx, partner)
    const made = await tx.query(
      `insert into partner_pauses (partner, reason, paused_by) values ($1, $2, $3)
       on conflict (partner) where resumed_at is null do nothing returning id`,
      [partner, reason, actor.label],
    )
    if (made.length > 0)
      await recordAudit(tx, actor, {
        businessId: null,
        action: 'payout_partner.paused',
        target: partner,
        after: { reason },
      })
  })
}

/** Resumes payouts through a partner: those that waited for it are due at once. Audited. */
export async function resumePartner({ db }: { db: Db }, actor: Actor, partner: string): Promise<void> {
  await db.tx(async (tx) => {
    const [ended] = await tx.query<{ reason: string }>(
      'update partner_pauses set resumed_at = now(), resumed_by = $2 where partner = $1 and resumed_at is null returning reason',
      [partner, actor.label],
    )
    if (!ended) return
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'payout_partner.resumed',
      target: partner,
      before: { reason: ended.reason },
    })
    await tx.query(
      "update outflows set next_at = now() where partner = $1 and status = 'pending' and reason = 'partner_paused' and next_at > now()",
      [partner],
    )
    await tx.query("select pg_notify('cowry_payouts', '')")
  })
}
