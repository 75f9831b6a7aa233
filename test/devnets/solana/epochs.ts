import { Clock, EpochSchedule, type LiteSVM } from 'litesvm'

/** The first slot of an epoch. */
export interface EpochStart {
  epoch: number
  slot: number
  /** Unix seconds. */
  time: number
}

/** Slots of an epoch on mainnet, without warm-up. */
export const slotsPerEpoch = 432_000

interface Epochs {
  readonly svm: LiteSVM
  /** In order; the last may end early, by the control `epoch`. */
  readonly epochs: EpochStart[]
}

/** The epoch of a slot. */
export function epochOf({ epochs }: Pick<Epochs, 'epochs'>, slot: number): EpochStart {
  const start = epochs.findLast((each) => each.slot <= slot) ?? epochs[0]
  if (!start) throw new Error('the ledger has no epoch')
  return start
}

/** The slot is the last of its epoch. */
export const isLast = (ledger: Pick<Epochs, 'epochs'>, slot: number): boolean =>
  slot + 1 >= epochOf(ledger, slot).slot + slotsPerEpoch

/** Of a chain that was saved without them. */
export function regularEpochs(slot: number, time: number): EpochStart[] {
  const epoch = Math.floor(slot / slotsPerEpoch)
  return [{ epoch, slot: epoch * slotsPerEpoch, time }]
}

/**
 * The schedule by which every slot from the last start on has its epoch, although epochs before may have
 * ended early: as on a chain with warm-up, where epochs have one length from a first normal one on.
 */
export function scheduleOf({ epochs }: Pick<Epochs, 'epochs'>) {
  const start = epochOf({ epochs }, Number.MAX_SAFE_INTEGER)
  return {
    slotsPerEpoch,
    leaderScheduleSlotOffset: slotsPerEpoch,
    warmup: start.epoch > 0,
    firstNormalEpoch: start.epoch,
    firstNormalSlot: start.slot,
  }
}

/** Sets what programs read of the time. @param time unix seconds */
export function setTime(ledger: Epochs, slot: number, time: number): void {
  const start = epochOf(ledger, slot)
  const { leaderScheduleSlotOffset, warmup, firstNormalEpoch, firstNormalSlot } = scheduleOf(ledger)
  const wide = [slotsPerEpoch, leaderScheduleSlotOffset].map(BigInt) as [bigint, bigint]
  ledger.svm.setEpochSchedule(
    new EpochSchedule(...wide, warmup, BigInt(firstNormalEpoch), BigInt(firstNormalSlot)),
  )
  ledger.svm.setClock(
    new Clock(BigInt(slot), BigInt(start.time), BigInt(start.epoch), BigInt(start.epoch + 1), BigInt(time)),
  )
}

/** Where the chain keeps the time of a slot. */
export const clockAddress = 'SysvarC1ock11111111111111111111111111111111'

/**
 * The clock as it was when a slot had ended, in bincode (Solana docs, "Sysvars"). @param time unix seconds
 */
export function clockOf(ledger: Pick<Epochs, 'epochs'>, slot: number, time: number): Uint8Array {
  const start = epochOf(ledger, slot)
  const data = Buffer.alloc(40)
  data.writeBigUInt64LE(BigInt(slot), 0)
  data.writeBigInt64LE(BigInt(start.time), 8)
  data.writeBigUInt64LE(BigInt(start.epoch), 16)
  data.writeBigUInt64LE(BigInt(start.epoch + 1), 24)
  data.writeBigInt64LE(BigInt(time), 32)
  return Uint8Array.from(data)
}
