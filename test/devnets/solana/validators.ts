import type { Address } from '@solana/kit'
import { type Keypair, VoteInit, VoteProgram } from '@solana/web3.js'
import { epochOf } from './epochs.ts'
import { devnetKeys, keyOf } from './keys.ts'
import { accountOf, closeSlot, type Ledger, openSlot } from './ledger.ts'
import { runAsFaucet } from './runAsFaucet.ts'
import { type Amounts, addHistory, amountsAt, delegationsOf, payRewards } from './stakes.ts'

interface Validator {
  /** The vote account. */
  vote: Keypair
  node: Keypair
  /** Keeps up with the chain. */
  votes: boolean
  /** Lamports of stakes that have no account here. */
  staked: bigint
}

const sol = 1_000_000_000n

export const validators: readonly Validator[] = [
  { vote: devnetKeys.validator, node: keyOf('validator identity'), votes: true, staked: 400_000_000n * sol },
  {
    vote: devnetKeys.delinquentValidator,
    node: keyOf('delinquent validator identity'),
    votes: false,
    staked: 1_000_000n * sol,
  },
]

const addressOf = ({ vote }: Pick<Validator, 'vote'>) => vote.publicKey.toBase58() as Address

/** Opens the vote accounts that the chain does not have yet. */
export function openValidators(ledger: Ledger): void {
  for (const validator of validators) {
    if (accountOf(ledger, addressOf(validator))) continue
    const { publicKey: node } = validator.node
    const { instructions } = VoteProgram.createAccount({
      fromPubkey: devnetKeys.faucet.publicKey,
      votePubkey: validator.vote.publicKey,
      voteInit: new VoteInit(node, node, node, 0),
      lamports: Number(ledger.svm.minimumBalanceForRentExemption(BigInt(VoteProgram.space))),
    })
    runAsFaucet(ledger, 'opening a vote account', instructions, [validator.vote, validator.node])
  }
}

/** Of an epoch that ends. */
export interface EpochEnd {
  /** Lamports paid for each effective SOL, except to stakes of delinquent validators. */
  rewardPerSol: bigint
  /** Stake without accounts here, that of the validators aside. */
  others: Amounts
}

/** About 6 % a year, as on mainnet. */
export const usualEnd: EpochEnd = {
  rewardPerSol: 330_000n,
  others: { effective: 0n, activating: 0n, deactivating: 0n },
}

/** Ends the epoch after the open slot: the next slot is the first of a new one, and has its block. */
export function endEpoch(ledger: Ledger, time: number, { rewardPerSol, others }: EpochEnd): void {
  closeSlot(ledger, time)
  const { svm, open } = ledger
  const { epoch } = epochOf(ledger, open.slot)
  const own = validators.reduce((total, { staked }) => total + staked, 0n)
  addHistory(svm, BigInt(epoch), { ...others, effective: others.effective + own })
  ledger.epochs.push({ epoch: epoch + 1, slot: open.slot, time: open.time })
  openSlot(ledger, open.slot, open.time)
  const paid = payRewards(svm, BigInt(epoch), rewardPerSol, (voter) =>
    validators.some((each) => each.votes && addressOf(each) === voter),
  )
  for (const before of paid) ledger.open.changes.push({ address: before.address, before })
  closeSlot(ledger, time)
}

/**
 * Slots behind the newest one from which on a validator counts as delinquent (agave,
 * `DELINQUENT_VALIDATOR_SLOT_DISTANCE`).
 */
const delinquentDistance = 128

/** Vote accounts as the node lists them (Solana docs, "getVoteAccounts"). */
export function voteAccounts(ledger: Ledger, slot: number) {
  const { epoch } = epochOf(ledger, slot)
  const history = ledger.svm.getStakeHistory()
  const all = delegationsOf(ledger.svm)
  const listed = validators.filter((each) => accountOf(ledger, addressOf(each)))
  return listed.map((validator) => {
    const own = all.filter(({ voter }) => voter === addressOf(validator))
    const activated = own.reduce(
      (total, each) => total + amountsAt(each, BigInt(epoch), history).effective,
      validator.staked,
    )
    const lastVote = Math.max(0, validator.votes ? slot - 1 : slot - 10 * delinquentDistance)
    return {
      votes: validator.votes,
      account: {
        votePubkey: addressOf(validator),
        nodePubkey: validator.node.publicKey.toBase58(),
        activatedStake: Number(activated),
        commission: 0,
        epochVoteAccount: true,
        epochCredits: [],
        lastVote,
        rootSlot: Math.max(0, lastVote - 31),
      },
    }
  })
}
