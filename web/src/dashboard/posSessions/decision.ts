import { isToken } from '../labels.ts'
import { counts } from '../refunds/refundLabels.ts'
import type { Session } from './types.ts'

/** What a person can decide now about money that came otherwise than expected. */
export interface OpenDecision {
  accept: boolean
  leave: boolean
}

/** Null where nothing is to be decided: all came as requested, it was decided, or what came goes back. */
export function openDecision({
  status,
  exception,
  resolution,
  payments,
  refunds,
  held,
}: Session): OpenDecision | null {
  const isOpen = status === 'pending' || status === 'expired'
  const accept =
    held !== undefined ||
    (isOpen && payments.some((each) => each.status === 'confirmed' && isToken(each.token)))
  const isAccepted = resolution === 'accepted' && status !== 'expired'
  const leave = status !== 'pending' && exception !== 'none' && !isAccepted
  if (resolution === 'left' || (refunds.some(counts) && held === undefined)) return null
  return accept || leave ? { accept, leave } : null
}
