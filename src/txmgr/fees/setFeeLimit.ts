import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Chain } from '../../chains/registry.ts'
import type { Db } from '../../platform/database/db.ts'
import { type StoredLimits, storedLimits } from './feeLimits.ts'

/**
 * Sets or clears a limit of a chain's fees, from the next plan and signature on. Audited.
 * @param value in base units of the native coin; null: that of the settings
 * @returns the limits before
 */
export async function setFeeLimit(
  { db }: { db: Db },
  actor: Actor,
  { name }: Pick<Chain, 'name'>,
  kind: keyof StoredLimits,
  value: bigint | null,
): Promise<StoredLimits> {
  return db.tx(async (tx) => {
    // The row of a chain may not exist yet: two commands must not both read that.
    await tx.query('lock table fee_limits in share row exclusive mode')
    const before = await storedLimits(tx, name)
    const after = { ...before, [kind]: value }
    await tx.query('delete from fee_limits where chain = $1', [name])
    if (after.ceiling !== null || after.budget !== null)
      await tx.query('insert into fee_limits (chain, ceiling, budget) values ($1, $2, $3)', [
        name,
        after.ceiling?.toString() ?? null,
        after.budget?.toString() ?? null,
      ])
    await recordAudit(tx, actor, {
      businessId: null,
      action: `fees.${kind}_set`,
      target: name,
      before: { [kind]: before[kind]?.toString() ?? null },
      after: { [kind]: value?.toString() ?? null },
    })
    return before
  })
}
