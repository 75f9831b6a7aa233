import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { isWholeAmount } from '../money/amount.ts'
import type { PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import { isNewerAnswer } from '../partnerPayments/partnerTime.ts'
import type { Collection } from './collection.ts'
import type { CollectionAlarm } from './context.ts'
import type { CollectionChange, PartnerFacts } from './moveCollection.ts'
import { nextOfCollection, reasonOfStatus } from './nextOfCollection.ts'
import { nextPartnerLookMs } from './nextPartnerLook.ts'

/** What an answer of the partner changes. */
export interface AnswerEffect {
  change: CollectionChange
  /** A finding for a person. */
  finding: Finding | null
}

export interface Finding {
  alarm: CollectionAlarm
  about: Record<string, unknown>
  message: string
}

/**
 * The changes of a collection by a report of the partner. An older report changes nothing; one about another
 * collection is refused.
 */
export function changeByAnswer(now: Collection, answer: PartnerCollection, askedAt: Date): AnswerEffect {
  const lies = contradictions(now, answer)
  if (lies.length > 0) {
    const change = {
      ...(now.endedAt === null && { reason: 'partner_contradicts' }),
      nextInMs: nextPartnerLookMs(now),
    }
    const about = { collection: now.id, partnerPaymentId: now.partnerPaymentId, fields: lies }
    return {
      change,
      finding: { alarm: 'contradiction', about, message: 'the partner answers with another collection' },
    }
  }
  return isNewer(now, answer, askedAt)
    ? changeOf(now, answer, askedAt)
    : { change: { nextInMs: nextPartnerLookMs(now) }, finding: null }
}

function isNewer(
  { partnerUpdatedAt, partnerAskedAt }: Collection,
  { updatedAt }: PartnerCollection,
  askedAt: Date,
): boolean {
  if (partnerUpdatedAt === null || partnerAskedAt === null) return true
  return isNewerAnswer({ updatedAt: partnerUpdatedAt, askedAt: partnerAskedAt }, { updatedAt, askedAt })
}

function changeOf(now: Collection, answer: PartnerCollection, askedAt: Date): AnswerEffect {
  const { status, alarm } = nextOfCollection(now.status, answer.status)
  const facts = factsOf(now, answer, askedAt)
  const after: Collection = {
    ...now,
    ...facts,
    status,
    endedAt: status === now.status ? now.endedAt : endedAtOf(status),
  }
  // A report that changes nothing keeps the reason of the state that stays.
  const isKept =
    alarm === 'contradiction' || alarm === 'unknown_status' || (now.status === 'completed' && alarm === null)
  const reason = isKept ? {} : { reason: reasonOfStatus(answer.status) }
  const change = {
    ...facts,
    status,
    ...reason,
    absentSince: null,
    submittedAt: now.submittedAt ?? askedAt,
    nextInMs: nextPartnerLookMs(after),
  }
  if (alarm === null) return { change, finding: null }
  const about = { collection: now.id, status: now.status, partnerStatus: answer.status }
  return {
    change,
    finding: { alarm, about, message: 'the partner gives a collection a state that needs a person' },
  }
}

const endedAtOf = (status: Collection['status']): Date | null =>
  status === 'pending' || status === 'processing' ? null : new Date()

/** Answers leave out what they do not repeat: what was known stays. */
function factsOf(now: Collection, answer: PartnerCollection, askedAt: Date): PartnerFacts {
  const { bank } = answer
  return {
    partnerPaymentId: answer.id,
    partnerStatus: answer.status,
    partnerUpdatedAt: answer.updatedAt,
    partnerAskedAt: askedAt,
    partnerReference: answer.reference ?? now.partnerReference,
    bankName: bank?.name ?? now.bankName,
    bankAccountNumber: bank?.accountNumber ?? now.bankAccountNumber,
    bankAccountName: bank?.accountName ?? now.bankAccountName,
    cryptoAmount: answer.cryptoAmount ?? now.cryptoAmount,
    rate: answer.rate ?? now.rate,
    networkFeeUsd: answer.networkFeeUsd ?? now.networkFeeUsd,
    serviceFeeUsd: answer.serviceFeeUsd ?? now.serviceFeeUsd,
    convertedAmount: answer.convertedAmount ?? now.convertedAmount,
    expiresAt: answer.expiresAt ?? now.expiresAt,
    partnerTxId: answer.settlement?.txHash ?? now.partnerTxId,
  }
}

/** The fields of an answer that are those of another collection. Some answers leave fields out. */
function contradictions(
  { id, partnerPaymentId, currency, localAmount, address, chain, token, memo }: Collection,
  answer: PartnerCollection,
): string[] {
  const { settlement } = answer
  const isAmount = answer.convertedAmount === null || isWholeAmount(answer.convertedAmount, localAmount)
  const isWallet = settlement === null || normalOf(chain, settlement.address) === address
  return [
    ...(partnerPaymentId === null || answer.id === partnerPaymentId ? [] : ['id']),
    ...(answer.sequenceId === null || answer.sequenceId === id ? [] : ['sequenceId']),
    ...(answer.currency === currency ? [] : ['currency']),
    ...(isAmount ? [] : ['convertedAmount']),
    ...(isWallet ? [] : ['settlement.address']),
    ...(settlement === null || settlement.currency === token ? [] : ['settlement.currency']),
    ...(settlement === null || settlement.tag === null || settlement.tag === memo ? [] : ['settlement.tag']),
  ]
}

const normalOf = (chain: Collection['chain'], address: string): string | null =>
  addressCodec(registeredChain(chain).family).normalise(address)
