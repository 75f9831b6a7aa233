import { base58 } from '@scure/base'
import type { Address, EncodedAccount, Lamports } from '@solana/kit'
import { StakeProgram } from '@solana/web3.js'
import { type LiteSVM, type StakeHistory, StakeHistoryEntry } from 'litesvm'

/** A delegation, as the stake program stores it (solana-program/stake, `StakeStateV2::Stake`). */
export interface Delegation {
  account: EncodedAccount
  voter: string
  stake: bigint
  activationEpoch: bigint
  deactivationEpoch: bigint
}

/** Amounts of one delegation, or of all, in an epoch. */
export interface Amounts {
  effective: bigint
  activating: bigint
  deactivating: bigint
}

const delegated = 2
const [voterAt, stakeAt, activationAt, deactivationAt] = [124, 156, 164, 172]
/** Hundredths of a per cent of the cluster's stake that may warm up or cool down in an epoch. */
const [rate, whole] = [900n, 10_000n]

export function delegationsOf(svm: LiteSVM): Delegation[] {
  return svm.getProgramAccounts(StakeProgram.programId.toBase58() as Address).flatMap((account) => {
    const data = Buffer.from(account.data)
    if (data.length < deactivationAt + 8 || data.readUInt32LE(0) !== delegated) return []
    const voter = base58.encode(Uint8Array.from(data.subarray(voterAt, voterAt + 32)))
    const [stake, activationEpoch, deactivationEpoch] = [stakeAt, activationAt, deactivationAt].map((at) =>
      data.readBigUInt64LE(at),
    ) as [bigint, bigint, bigint]
    return [{ account, voter, stake, activationEpoch, deactivationEpoch }]
  })
}

/**
 * As the stake program counts it, from one epoch to the next (solana-program/stake,
 * `stake_activating_and_deactivating_v2`).
 */
export function amountsAt(delegation: Delegation, epoch: bigint, history: StakeHistory): Amounts {
  const { stake, activationEpoch, deactivationEpoch } = delegation
  const nothing = { effective: 0n, activating: 0n, deactivating: 0n }
  if (activationEpoch === deactivationEpoch || epoch < activationEpoch) return nothing
  const change = (portion: bigint, all: bigint, effective: bigint) => {
    const share = (portion * effective * rate) / (all * whole)
    return share < 1n ? 1n : share
  }
  const warm = (at: bigint): bigint => {
    if (at <= activationEpoch) return 0n
    const entry = history.get(at - 1n)
    if (!entry) return at - 1n === activationEpoch ? stake : warm(at - 1n)
    const before = warm(at - 1n)
    if (entry.activating === 0n) return before
    const after = before + change(stake - before, entry.activating, entry.effective)
    if (after > stake) return stake
    return after
  }
  const cool = (at: bigint): bigint => {
    if (at <= deactivationEpoch) return warm(deactivationEpoch)
    const entry = history.get(at - 1n)
    if (!entry) return at - 1n === deactivationEpoch ? 0n : cool(at - 1n)
    const before = cool(at - 1n)
    if (entry.deactivating === 0n) return before
    const after = before - change(before, entry.deactivating, entry.effective)
    return after < 0n ? 0n : after
  }
  if (epoch >= deactivationEpoch) {
    const left = cool(epoch)
    return { effective: left, activating: 0n, deactivating: left }
  }
  const effective = warm(epoch)
  return { effective, activating: stake - effective, deactivating: 0n }
}

/** The record of an epoch that ends. @param others stake of the rest of the cluster */
export function addHistory(svm: LiteSVM, epoch: bigint, others: Amounts): void {
  const history = svm.getStakeHistory()
  const total = delegationsOf(svm)
    .map((each) => amountsAt(each, epoch, history))
    .reduce(sum, others)
  history.add(epoch, new StakeHistoryEntry(total.effective, total.activating, total.deactivating))
  svm.setStakeHistory(history)
}

const sum = (a: Amounts, b: Amounts): Amounts => ({
  effective: a.effective + b.effective,
  activating: a.activating + b.activating,
  deactivating: a.deactivating + b.deactivating,
})

/**
 * Pays rewards on what was effective in an epoch. As the chain does, they are added to the account and to
 * what it delegates; rounded down.
 * @param perSol lamports for each SOL
 * @returns the accounts before
 */
export function payRewards(
  svm: LiteSVM,
  epoch: bigint,
  perSol: bigint,
  earns: (voter: string) => boolean,
): EncodedAccount[] {
  const history = svm.getStakeHistory()
  return delegationsOf(svm).flatMap((delegation) => {
    const { account, voter, stake } = delegation
    const reward = (amountsAt(delegation, epoch, history).effective * perSol) / 1_000_000_000n
    if (reward === 0n || !earns(voter)) return []
    const data = Buffer.from(account.data)
    data.writeBigUInt64LE(stake + reward, stakeAt)
    svm.setAccount({
      ...account,
      lamports: (account.lamports + reward) as Lamports,
      data: Uint8Array.from(data),
    })
    return [account]
  })
}
