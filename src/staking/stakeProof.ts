import { proofMessage } from '../custody/proof.ts'
import { percentText } from '../money/percent.ts'

/** What a stake was agreed on: proven by the API when it is made, and never changed. */
export interface ProvenTerms {
  /** Of the stake that its transaction pays. */
  rootId: string
  businessId: string
  planId: string
  chain: string
  /** Null: the coin. */
  contract: string | null
  decimals: number
  /** Base units of the whole transaction. */
  stakedAmount: bigint
  /** Normal form. */
  from: string
  apy: string
  lockDays: number
  penaltyPercent: string
  createdAt: Date
}

export const termsMessage = (terms: ProvenTerms): Buffer =>
  proofMessage('stake', [
    terms.rootId,
    terms.businessId,
    terms.planId,
    terms.chain,
    terms.contract,
    String(terms.decimals),
    String(terms.stakedAmount),
    terms.from,
    percentText(terms.apy),
    String(terms.lockDays),
    percentText(terms.penaltyPercent),
    terms.createdAt.toISOString(),
  ])

/**
 * The unstaking of a stake: proven by the API in the request. Penalty and rewards follow from it and the
 * terms.
 */
export interface ProvenUnstaking {
  id: string
  rootId: string
  businessId: string
  /** Base units that leave. */
  amount: bigint
  /** The time of its block, by the API: a fork may move it later. */
  earnedFrom: Date
  unstakedAt: Date
}

export const unstakingMessage = ({
  id,
  rootId,
  businessId,
  amount,
  earnedFrom,
  unstakedAt,
}: ProvenUnstaking): Buffer =>
  proofMessage('unstaking', [
    id,
    rootId,
    businessId,
    String(amount),
    earnedFrom.toISOString(),
    unstakedAt.toISOString(),
  ])

/**
 * A payment in place of others that can never be mined: proven by the worker, which has queried the chain for
 * them.
 */
export interface ProvenReplacement {
  intentId: string
  stakeId: string
  /** Intents. */
  replaces: readonly string[]
  /** All of their transactions. */
  givenUp: readonly string[]
}

/** A failed payment that an operator lets the treasury replace once more: proven with the key of the API. */
export const retryMessage = ({ intentId, stakeId }: { intentId: string; stakeId: string }): Buffer =>
  proofMessage('stake-retry', [intentId, stakeId])

export const replacementMessage = ({ intentId, stakeId, replaces, givenUp }: ProvenReplacement): Buffer =>
  proofMessage('stake-replacement', [intentId, stakeId, replaces.join(','), givenUp.join(',')])

/** The transaction of a stake in its block: proven by the worker, which has read it from the chain. */
export interface ProvenConfirmation {
  rootId: string
  chain: string
  txId: string
  blockHeight: number
  blockId: string
}

export const confirmationMessage = ({
  rootId,
  chain,
  txId,
  blockHeight,
  blockId,
}: ProvenConfirmation): Buffer =>
  proofMessage('stake-confirmation', [rootId, chain, txId, String(blockHeight), blockId])
