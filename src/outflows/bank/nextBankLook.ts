import type { OutflowsContext } from '../context.ts'
import type { Outflow } from '../outflow.ts'

const minuteMs = 60_000

/**
 * Until the partner is queried for a payout alone: a quarter of the time that it has taken. A webhook is
 * faster, and after two minutes the partner's list shows what has changed: then only a payout that should
 * have ended is queried, or one of which it is not known if the partner has it.
 */
export function nextBankLookMs(
  { pollMs }: Pick<OutflowsContext, 'pollMs'>,
  { submittedAt, partnerPaymentId, status }: Pick<Outflow, 'submittedAt' | 'partnerPaymentId' | 'status'>,
): number {
  const age = submittedAt === null ? 0 : Date.now() - submittedAt.getTime()
  const isListed = partnerPaymentId !== null && status === 'processing' && age >= 2 * minuteMs
  return (
    pollMs ?? (isListed ? clamp(age / 4, 10 * minuteMs, 360 * minuteMs) : clamp(age / 4, 5000, 5 * minuteMs))
  )
}

const clamp = (ms: number, min: number, max: number): number => Math.round(Math.min(max, Math.max(min, ms)))
