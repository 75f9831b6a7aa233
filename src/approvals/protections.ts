import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import { parseUnits } from '../money/amount.ts'
import type { Tx } from '../platform/database/db.ts'
import { requestChange, type WaitingChange } from './requestApproval.ts'
import { hasSecondOwner } from './secondOwner.ts'

/** What automatic payouts of an asset are set to. */
export interface AutopayoutTarget {
  enabled: boolean
  destinationId: string | null
}

/** As many decimal places as any amount has. */
const places = 18

/** True if a limit after a change, in dollars, allows more than the one before; null: no limit. */
export function isHigher(before: string | null, after: string | null): boolean {
  if (before === null) return false
  const [was, is] = [parseUnits(before, places), after === null ? null : parseUnits(after, places)]
  return was === null || is === null || is > was
}

/**
 * Every setting that protects money, with what loosens it; that of limits of wallets and keys is in
 * `src/spendingLimits/limits.ts`. One rule holds for all: tightening applies at once; loosening waits for a
 * second owner, where there is one (`needsSecondOwner`), and for the cooling-off time since the request.
 */
export const loosens = {
  /** A limit in dollars, the threshold of approvals too; null: no limit. */
  payoutLimit: isHigher,
  /** In hours. */
  coolingOff: (before: number, after: number): boolean => after < before,
  /** In days: how long an excess of a session stays the customer's. */
  excessHold: (before: number, after: number): boolean => after < before,
  /** Another target for automatic payouts; the cooling-off time is that of its destination. */
  autopayout: (before: AutopayoutTarget, after: AutopayoutTarget): boolean =>
    after.enabled && (!before.enabled || before.destinationId !== after.destinationId),
  /** The requirement of a second factor. */
  secondFactor: (before: boolean, after: boolean): boolean => before && !after,
} as const

/** The settings that a second owner approves by `setting`; limits of wallets and keys are `limits`. */
export type SettingName = 'payout_settings' | 'autopayout' | 'second_factor'

/** A looser setting for a second owner's approval: the fields that change. */
export interface WantedSetting<Fields extends object = object> {
  setting: SettingName
  before: Fields
  after: Fields
}

/**
 * True if a loosening by this actor waits for a second owner. The caller has locked the business. A command
 * of the operator does not wait.
 */
export const needsSecondOwner = async (tx: Tx, businessId: string, actor: Actor): Promise<boolean> =>
  accountOf(actor) !== null && (await hasSecondOwner(tx, businessId))

/** Requests a second owner's approval of a looser setting. */
export async function requestSetting(
  tx: Tx,
  actor: Actor,
  businessId: string,
  wanted: WantedSetting,
): Promise<WaitingChange> {
  const accountId = accountOf(actor)
  if (accountId === null) throw new Error('only members request approvals')
  const { approval, isNew } = await requestChange(tx, { businessId, subject: 'setting', accountId, wanted })
  const { setting, before, after } = wanted
  if (isNew)
    await recordAudit(tx, actor, {
      businessId,
      action: 'approval.asked',
      target: approval.id,
      before,
      after: { setting, ...after },
    })
  return approval
}
