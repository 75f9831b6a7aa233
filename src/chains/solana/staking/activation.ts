import { type Delegation, never } from './stakeData.ts'
import type { HistoryEntry, StakeHistory } from './sysvars.ts'

/** How much of a delegation earns, warms up and cools down. Lamports. */
export interface Activation {
  effective: bigint
  activating: bigint
  deactivating: bigint
}

/**
 * Hundredths of a per cent of the cluster's stake that may warm up, and cool down, in an epoch. The stake
 * program takes it for all epochs (`PERPETUAL_NEW_WARMUP_COOLDOWN_RATE_EPOCH`).
 */
const [rate, whole] = [900n, 10_000n]

/**
 * As the stake program counts it (solana-program/stake, `stake_activating_and_deactivating_v2`), in whole
 * numbers.
 */
export function activationAt(delegation: Delegation, epoch: bigint, history: StakeHistory): Activation {
  const { stake, deactivationEpoch } = delegation
  const warm = warmAt(delegation, epoch, history)
  if (epoch < deactivationEpoch)
    return {
      effective: warm,
      activating: startsLater(delegation, epoch) ? 0n : stake - warm,
      deactivating: 0n,
    }
  const left = epoch === deactivationEpoch ? warm : coolAt(warm, deactivationEpoch, epoch, history)
  return { effective: left, activating: 0n, deactivating: left }
}

const isOfGenesis = ({ activationEpoch }: Delegation): boolean => activationEpoch === never
const startsLater = (delegation: Delegation, epoch: bigint): boolean =>
  !isOfGenesis(delegation) && epoch < delegation.activationEpoch

/** What is effective by an epoch, or by that of the deactivation before it. */
function warmAt(delegation: Delegation, epoch: bigint, history: StakeHistory): bigint {
  const { stake, activationEpoch, deactivationEpoch } = delegation
  if (isOfGenesis(delegation)) return stake
  if (activationEpoch === deactivationEpoch || epoch <= activationEpoch) return 0n
  // Older than the history: it has warmed up.
  if (!history.has(activationEpoch)) return stake
  const end = epoch < deactivationEpoch ? epoch : deactivationEpoch
  let warm = 0n
  for (let at = activationEpoch; at < end; at++) {
    const entry = history.get(at)
    if (entry === undefined || entry.activating === 0n) break
    warm += changeOf(stake - warm, entry.activating, entry)
    if (warm >= stake) return stake
  }
  return warm
}

/** What is still effective of `warm`, after a deactivation. */
function coolAt(warm: bigint, deactivationEpoch: bigint, epoch: bigint, history: StakeHistory): bigint {
  if (!history.has(deactivationEpoch)) return 0n
  let left = warm
  for (let at = deactivationEpoch; at < epoch; at++) {
    const entry = history.get(at)
    if (entry === undefined || entry.deactivating === 0n) break
    left -= changeOf(left, entry.deactivating, entry)
    if (left <= 0n) return 0n
  }
  return left
}

/** The account's share of what the cluster may change in an epoch; at least one lamport. */
function changeOf(portion: bigint, all: bigint, { effective }: HistoryEntry): bigint {
  const share = (portion * effective * rate) / (all * whole)
  return share > 1n ? share : 1n
}

/**
 * Estimate of the first epoch in which nothing of a deactivated delegation is effective: that after the
 * deactivation, unless more of the cluster cools down than an epoch allows.
 */
export function inactiveFrom(
  { deactivationEpoch }: Delegation,
  epoch: bigint,
  history: StakeHistory,
): bigint {
  const entry = epoch > deactivationEpoch ? history.get(epoch - 1n) : undefined
  if (entry === undefined || entry.effective === 0n) return epoch + 1n
  const allowed = entry.effective * rate
  const epochs = (entry.deactivating * whole + allowed - 1n) / allowed
  return epochs > 2n ? epoch - 1n + epochs : epoch + 1n
}
