/**
 * Bandwidth, energy and fees. TRON developers, "Resource Model"; java-tron, BandwidthProcessor and
 * ReceiptCapsule.
 */
import { invalid, Refusal } from './errors.ts'
import { toBase58 } from './json.ts'
import { limits, parameters, totalEnergyWeight, totalNetWeight, trx } from './parameters.ts'
import { type Account, accountOf, addBalance, setAccount, type World } from './world.ts'

export interface Receipt {
  net_usage?: number
  net_fee?: number
  energy_usage?: number
  energy_fee?: number
  energy_usage_total?: number
  result?: string
}

const precision = 1_000_000

/** Usage recovers linearly over a day. java-tron, ResourceProcessor.increase. */
export function increase(lastUsage: number, usage: number, lastSlot: number, slot: number): number {
  const window = limits.windowSlots
  const average = (used: number) => Math.ceil((used * precision) / window)
  const elapsed = slot - lastSlot
  const left = elapsed < window ? Math.round((average(lastUsage) * (window - elapsed)) / window) : 0
  const kept = elapsed === 0 ? average(lastUsage) : left
  return Math.floor(((kept + average(usage)) * window) / precision)
}

export const netLimit = (account: Account): number =>
  Math.floor(
    (account.frozen.BANDWIDTH / trx) *
      (parameters.getTotalNetLimit / (totalNetWeight + account.frozen.BANDWIDTH / trx)),
  )

export const energyLimitOf = (account: Account): number =>
  Math.floor(
    (account.frozen.ENERGY / trx) *
      (parameters.getTotalEnergyCurrentLimit / (totalEnergyWeight + account.frozen.ENERGY / trx)),
  )

export const freeNetUsed = (account: Account, slot: number): number =>
  increase(account.freeNetUsage, 0, account.freeNetSlot, slot)
export const netUsed = (account: Account, slot: number): number =>
  increase(account.netUsage, 0, account.netSlot, slot)
export const energyUsed = (account: Account, slot: number): number =>
  increase(account.energyUsage, 0, account.energySlot, slot)

interface NetBill {
  owner: string
  /** The transaction without `ret`, plus 64 for a result. */
  bytes: number
  slot: number
  headTime: number
  createsAccount: boolean
}

/**
 * Pays for a transaction's bytes: from stake, then from the free 600 a day, otherwise in TRX. A transaction
 * that creates an account uses stake only, or pays 0.1 TRX: free bandwidth does not apply.
 * @throws Refusal
 */
export function payBandwidth(world: World, bill: NetBill): Receipt {
  const { owner, bytes, slot } = bill
  const account = accountOf(world, owner)
  if (!account) throw invalid(`account [${toBase58(owner)}] does not exist`)
  const used = { ...account, latestOperationTime: bill.headTime }
  const cost = bill.createsAccount ? bytes * parameters.getCreateNewAccountBandwidthRate : bytes
  if (cost <= netLimit(account) - netUsed(account, slot)) {
    setAccount(world, {
      ...used,
      netUsage: increase(account.netUsage, cost, account.netSlot, slot),
      netSlot: slot,
    })
    return { net_usage: cost }
  }
  if (!bill.createsAccount && bytes <= parameters.getFreeNetLimit - freeNetUsed(account, slot)) {
    setAccount(world, {
      ...used,
      freeNetUsage: increase(account.freeNetUsage, bytes, account.freeNetSlot, slot),
      freeNetSlot: slot,
    })
    return { net_usage: bytes }
  }
  const fee = bill.createsAccount ? parameters.getCreateAccountFee : parameters.getTransactionFee * bytes
  if (account.balance < fee) throw new Refusal('BANDWITH_ERROR', 'Account resource insufficient error.')
  setAccount(world, { ...used, balance: account.balance - fee })
  return { net_fee: fee }
}

/**
 * The energy that a call may use: from stake and from the balance without `callValue`, within `feeLimit`
 * (java-tron, VMActuator.getAccountEnergyLimitWithFixRatio). Contracts' owners pay no share here: they have
 * no stake.
 */
export function energyLimit(
  world: World,
  owner: string,
  feeLimit: number,
  callValue: number,
  slot: number,
): number {
  const account = accountOf(world, owner)
  if (!account) return 0
  const price = parameters.getEnergyFee
  const staked = Math.max(0, energyLimitOf(account) - energyUsed(account, slot))
  return Math.min(
    staked + Math.floor(Math.max(0, account.balance - callValue) / price),
    Math.floor(feeLimit / price),
  )
}

/** Bills used energy, whether the call succeeded or failed: from stake first, the rest is burned in TRX. */
export function payEnergy(world: World, owner: string, energy: number, slot: number): Receipt {
  const account = accountOf(world, owner)
  if (!account || energy === 0) return {}
  const staked = Math.min(energy, Math.max(0, energyLimitOf(account) - energyUsed(account, slot)))
  const fee = (energy - staked) * parameters.getEnergyFee
  setAccount(world, {
    ...account,
    energyUsage: increase(account.energyUsage, staked, account.energySlot, slot),
    energySlot: slot,
  })
  if (!addBalance(world, owner, -fee))
    throw new Refusal('OTHER_ERROR', `Error: ${toBase58(owner)} insufficient balance`)
  return { energy_usage: staked, energy_fee: fee, energy_usage_total: energy }
}

/** A fee burned in addition to bandwidth: for a memo, or for several signatures. */
export function payFee(world: World, owner: string, fee: number): number {
  if (fee > 0 && !addBalance(world, owner, -fee))
    throw new Refusal('BANDWITH_ERROR', 'Account resource insufficient error.')
  return fee
}
