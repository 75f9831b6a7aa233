import type { StakeReading } from '../../chains/staking.ts'

const [minute, hour] = [60_000, 3_600_000]
/** Within this time after an epoch's end its stakes are read. */
const spreadMs = 10 * minute
/** Of the rewards of an epoch. */
const payingMs = 5 * minute

/**
 * Milliseconds until a stake is read again. Nothing changes within an epoch but by its owner, who may use
 * other tools: so it is read once a day, too.
 * @param spread from 0 to 1: not all stakes are read at once
 */
export function nextChainCheck(
  { account, epochEndsAt, paysRewards }: StakeReading,
  now: number,
  spread: number,
): number {
  if (account === null) return hour
  if (paysRewards) return payingMs
  const isCooling = account.state === 'deactivating' && account.withdrawableAt !== null
  const at = isCooling && account.withdrawableAt ? account.withdrawableAt : epochEndsAt
  // The estimate may be early.
  return Math.min(
    24 * hour,
    Math.max(minute, at.getTime() - now) + (isCooling ? 0 : Math.round(spread * spreadMs)),
  )
}
