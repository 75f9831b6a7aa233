import type { Collection } from './collection.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * After the end of a collection that has failed or expired, money may still come late, or go back: it is
 * read then, at last after seven days.
 */
const afterEndMs = [hourMs, dayMs, 7 * dayMs]

/**
 * Until one collection alone is read from the partner; null: never. What the partner's list shows needs no
 * question: these are for what it does not show, and for what it should have ended.
 */
export function nextPartnerLookMs(collection: Collection, now = Date.now()): number | null {
  const { status, submittedAt, partnerPaymentId, expiresAt, createdAt, endedAt } = collection
  if (status === 'completed' || status === 'refunded') return null
  if (partnerPaymentId === null) {
    if (endedAt !== null) return null
    // Unknown: the sooner, the younger.
    return clamp((now - (submittedAt ?? createdAt).getTime()) / 4, 5000, 5 * minuteMs)
  }
  if (endedAt !== null) {
    const ended = now - endedAt.getTime()
    const next = afterEndMs.find((ms) => ms > ended)
    return next === undefined ? null : next - ended
  }
  const overdue = now - (expiresAt?.getTime() ?? createdAt.getTime() + hourMs)
  const first = 10 * minuteMs
  const longest = 6 * hourMs
  // The partner names the end, and may name one that never comes.
  return overdue < first ? Math.min(first - overdue, longest) : clamp(overdue, first, longest)
}

const clamp = (ms: number, min: number, max: number): number => Math.round(Math.min(max, Math.max(min, ms)))
