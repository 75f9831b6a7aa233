import { ProviderError } from '../../chain.ts'
import type { Account } from '../chainState.ts'

/** Accounts in which the chain keeps its time and stakes (Solana docs, "Sysvars"), in bincode. */
export const sysvars = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
] as const
const owner = 'Sysvar1111111111111111111111111111111111111'

/** Stake of the whole cluster in an epoch. Lamports. */
export interface HistoryEntry {
  effective: bigint
  activating: bigint
  deactivating: bigint
}

/** By epoch: the last 512 that have ended. */
export type StakeHistory = ReadonlyMap<bigint, HistoryEntry>

export interface ChainTime {
  slot: bigint
  epoch: bigint
  /** Unix seconds. */
  now: bigint
  epochStarted: bigint
  schedule: { slotsPerEpoch: bigint; firstNormalEpoch: bigint; firstNormalSlot: bigint }
  history: StakeHistory
  /** Rewards of the last epoch are being paid: the stake program changes no stake. */
  paysRewards: boolean
}

/** @param accounts in the order of `sysvars` @throws ProviderError */
export function readSysvars(provider: string, accounts: readonly (Account | null)[]): ChainTime {
  const data = (index: number, bytes: number): Buffer => {
    const account = accounts[index]
    if (account?.owner !== owner || account.data.length < bytes)
      throw new ProviderError(`${provider} returned no ${sysvars[index]}`)
    return account.data
  }
  const [clock, history, schedule, rewards] = [data(0, 40), data(1, 8), data(2, 33), data(3, 81)]
  return {
    slot: clock.readBigUInt64LE(0),
    epochStarted: clock.readBigInt64LE(8),
    epoch: clock.readBigUInt64LE(16),
    now: clock.readBigInt64LE(32),
    schedule: {
      slotsPerEpoch: schedule.readBigUInt64LE(0),
      firstNormalEpoch: schedule.readBigUInt64LE(17),
      firstNormalSlot: schedule.readBigUInt64LE(25),
    },
    history: readHistory(provider, history),
    paysRewards: rewards.readUInt8(80) !== 0,
  }
}

/** Its length, then of each epoch, newest first: epoch, effective, activating, deactivating. */
function readHistory(provider: string, data: Buffer): StakeHistory {
  const [head, size] = [8, 32]
  const count = data.readBigUInt64LE(0)
  if (count * BigInt(size) > BigInt(data.length - head))
    throw new ProviderError(`${provider} returned a truncated stake history`)
  const entries = Array.from({ length: Number(count) }, (_, index): [bigint, HistoryEntry] => {
    const [epoch, effective, activating, deactivating] = [0, 8, 16, 24].map((at) =>
      data.readBigUInt64LE(head + index * size + at),
    ) as [bigint, bigint, bigint, bigint]
    return [epoch, { effective, activating, deactivating }]
  })
  return new Map(entries)
}

/**
 * Slots of the first epoch of a chain with warm-up; each of those has twice as many as the one before (Solana
 * docs, `MINIMUM_SLOTS_PER_EPOCH`).
 */
const firstEpochSlots = 32n

function firstSlotOf({ schedule }: ChainTime, epoch: bigint): bigint {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule
  if (epoch <= firstNormalEpoch)
    return epoch === firstNormalEpoch ? firstNormalSlot : (2n ** epoch - 1n) * firstEpochSlots
  return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch
}

/** Milliseconds of a slot: as planned, and the limits of what is trusted. */
const [slotMs, minSlotMs, maxSlotMs] = [400, 200, 1000]
/** Slots of the epoch after which their average is taken. */
const measuredSlots = 1000

/** Estimate of the time at which an epoch starts, by the average slot of the present one. */
export function startOf(time: ChainTime, epoch: bigint): Date {
  const { slot, now, epochStarted } = time
  const passed = Number(slot - firstSlotOf(time, time.epoch))
  const average = passed >= measuredSlots ? (Number(now - epochStarted) * 1000) / passed : slotMs
  const each = Math.min(maxSlotMs, Math.max(minSlotMs, average))
  const left = Number(firstSlotOf(time, epoch) - slot)
  return new Date(Number(now) * 1000 + Math.max(0, left) * each)
}
