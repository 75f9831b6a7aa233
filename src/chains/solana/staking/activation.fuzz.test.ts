import { describe, expect, test } from '@jest/globals'
import { type Address, getTransactionDecoder, type Lamports } from '@solana/kit'
import {
  Authorized,
  Keypair,
  PublicKey,
  StakeProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { Clock, FailedTransactionMetadata, LiteSVM, StakeHistory, StakeHistoryEntry } from 'litesvm'
import { howMany } from '../../../../test/support/full.ts'
import { activationAt } from './activation.ts'
import { type Delegation, never, readStakeData } from './stakeData.ts'
import type { HistoryEntry } from './sysvars.ts'

/**
 * The real stake program as the reference: it lets its owner withdraw what is not effective and not rent, to
 * the lamport. A delegation that is not deactivated is deactivated first, in the same transaction, which
 * changes nothing of what is effective in the epoch. The engine's version counts in f64, the platform's and
 * later ones in whole numbers (solana-program/stake, `warmup_cooldown_allowance.rs`): they may differ by a
 * lamport in each epoch.
 */
const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n)
const [owner, voter] = [Keypair.generate(), Keypair.generate().publicKey]
const account = Keypair.generate().publicKey
const rent = svm.minimumBalanceForRentExemption(BigInt(StakeProgram.space))
/** Not delegated: so that there is always something to withdraw. */
const spare = 1_000n
svm.airdrop(owner.publicKey.toBase58() as Address, 1_000_000_000n as Lamports)

const passes = (instructions: readonly TransactionInstruction[]): boolean => {
  const transaction = new Transaction({
    feePayer: owner.publicKey,
    blockhash: svm.latestBlockhash(),
    lastValidBlockHeight: 1,
  })
  transaction.add(...instructions).sign(owner)
  const decoded = getTransactionDecoder().decode(Uint8Array.from(transaction.serialize()))
  return !(svm.simulateTransaction(decoded) instanceof FailedTransactionMetadata)
}

function dataOf({ stake, activationEpoch, deactivationEpoch }: Delegation): Buffer {
  const data = Buffer.alloc(StakeProgram.space)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(rent, 4)
  const { staker, withdrawer } = new Authorized(owner.publicKey, owner.publicKey)
  for (const [key, at] of [
    [staker, 12],
    [withdrawer, 44],
    [voter, 124],
  ] as const)
    key.toBuffer().copy(data, at)
  for (const [amount, at] of [
    [stake, 156],
    [activationEpoch, 164],
    [deactivationEpoch, 172],
  ] as const)
    data.writeBigUInt64LE(amount, at)
  return data
}

/** Sets the state, and checks that so much can be withdrawn, and no more. */
function expectEffective(
  delegation: Delegation,
  epoch: bigint,
  history: ReadonlyMap<bigint, HistoryEntry>,
  effective: bigint,
): void {
  const data = dataOf(delegation)
  expect(readStakeData(data)?.delegation).toEqual(delegation)
  const lamports = rent + delegation.stake + spare
  const [address, programAddress] = [account, StakeProgram.programId].map(
    (key) => key.toBase58() as Address,
  ) as [Address, Address]
  const stored = {
    address,
    programAddress,
    lamports: lamports as Lamports,
    executable: false,
    space: BigInt(data.length),
  }
  svm.setAccount({ ...stored, data: Uint8Array.from(data) })
  svm.setClock(new Clock(1_000n, 0n, epoch, epoch + 1n, 0n))
  const record = new StakeHistory()
  for (const [at, entry] of history)
    record.add(at, new StakeHistoryEntry(entry.effective, entry.activating, entry.deactivating))
  svm.setStakeHistory(record)
  const [stakePubkey, authorizedPubkey] = [account, owner.publicKey]
  const before =
    delegation.deactivationEpoch === never
      ? StakeProgram.deactivate({ stakePubkey, authorizedPubkey }).instructions
      : []
  const withdrawal = (amount: bigint) =>
    passes([
      ...before,
      ...StakeProgram.withdraw({
        stakePubkey,
        authorizedPubkey,
        toPubkey: new PublicKey(authorizedPubkey),
        lamports: Number(amount),
      }).instructions,
    ])
  const free = lamports - rent - effective
  const rounding = effective === 0n || effective === delegation.stake ? 0n : BigInt(history.size)
  expect([withdrawal(free - rounding), withdrawal(free + rounding + 1n), withdrawal(lamports)]).toEqual([
    true,
    false,
    effective === 0n,
  ])
}

const sol = 1_000_000_000n
const stakes = fc.bigInt({ min: sol, max: 1_000_000n * sol })
/**
 * A cluster's epoch, in multiples of the stake: what warms up and cools down next to it, and thousandths of
 * that which are effective.
 */
const portions = fc.record({
  activating: fc.option(fc.bigInt({ min: 1n, max: 100n }), { freq: 20 }),
  deactivating: fc.option(fc.bigInt({ min: 1n, max: 100n }), { freq: 20 }),
  effective: fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 15_000n })),
})
type Portions = Record<'activating' | 'deactivating', bigint | null> & { effective: bigint }

function entryOf(stake: bigint, { activating, deactivating, effective }: Portions): HistoryEntry {
  const changing = activating ?? deactivating ?? 1n
  return {
    effective: (stake * changing * effective) / 1000n,
    activating: activating === null ? 0n : stake * activating + 7n,
    deactivating: deactivating === null ? 0n : stake * deactivating + 7n,
  }
}

const first = 700n
const cases = fc.record({
  stake: stakes,
  /** Before the first record, or later. */
  activatedAt: fc.integer({ min: -2, max: 10 }),
  deactivatedAfter: fc.option(fc.integer({ min: 0, max: 10 })),
  queriedAfter: fc.integer({ min: 0, max: 10 }),
  history: fc.array(portions, { minLength: 30, maxLength: 30 }),
})

describe('what is effective of a stake', () => {
  test('is what the real program computes, through warm-up and cool-down over many epochs', () => {
    let [partlyWarm, partlyCool] = [0, 0]
    fc.assert(
      fc.property(cases, ({ stake, activatedAt, deactivatedAfter, queriedAfter, history }) => {
        const activationEpoch = first + BigInt(activatedAt)
        const deactivationEpoch =
          deactivatedAfter === null ? never : activationEpoch + BigInt(deactivatedAfter)
        const epoch =
          (deactivationEpoch === never ? activationEpoch : deactivationEpoch) + BigInt(queriedAfter)
        const ended = history
          .map((entry, index): [bigint, HistoryEntry] => [first + BigInt(index), entryOf(stake, entry)])
          .filter(([at]) => at < epoch)
        const delegation = { voter: voter.toBase58(), stake, activationEpoch, deactivationEpoch }
        const { effective, activating, deactivating } = activationAt(delegation, epoch, new Map(ended))
        if (deactivationEpoch === never) expect([effective + activating, deactivating]).toEqual([stake, 0n])
        else expect([activating, deactivating]).toEqual([0n, effective])
        expectEffective(delegation, epoch, new Map(ended), effective)
        const isPart = effective > 0n && effective < stake
        if (isPart && deactivationEpoch === never) partlyWarm++
        if (isPart && deactivationEpoch !== never) partlyCool++
      }),
      { numRuns: howMany(80, 3000) },
    )
    expect(Math.min(partlyWarm, partlyCool)).toBeGreaterThan(0)
  })

  test('is all of a stake of genesis, and nothing of one deactivated in its first epoch', () => {
    const delegation = {
      voter: voter.toBase58(),
      stake: 5n * sol,
      activationEpoch: never,
      deactivationEpoch: never,
    }
    const history = new Map([[3n, { effective: 1n, activating: 1n, deactivating: 1n }]])
    expect(activationAt(delegation, 4n, history)).toEqual({
      effective: 5n * sol,
      activating: 0n,
      deactivating: 0n,
    })
    const instant = { ...delegation, activationEpoch: 3n, deactivationEpoch: 3n }
    for (const epoch of [3n, 4n]) {
      const { effective } = activationAt(instant, epoch, history)
      expect(effective).toBe(0n)
      expectEffective(instant, epoch, history, effective)
    }
  })
})
