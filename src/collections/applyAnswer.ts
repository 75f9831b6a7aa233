import { isWholeAmount } from '../chains/amount.ts'
import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import type { PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import type { Tx } from '../platform/db.ts'
import { type Collection, readCollections } from './collection.ts'
import type { CollectionsContext } from './context.ts'
import { type CollectionChange, moveCollection, type PartnerFacts } from './moveCollection.ts'
import { nextLookMs } from './nextLook.ts'
import { nextOfCollection, reasonOfStatus } from './nextOfCollection.ts'

/**
 * Stores what the partner says of a collection: the one way of answers, from whichever question or list. Answers may come twice, late, and in any order:
 * an older one changes nothing. One that is about another collection is not believed.
 * @param askedAt when the question began
 * @param also runs in the same transaction
 * @returns the collection as it is then; null if it is gone
 */
export async function applyAnswer(
  ctx: CollectionsContext,
  id: string,
  answer: PartnerCollection,
  askedAt: Date,
  also: (tx: Tx, result: Collection) => Promise<void> = async () => {},
): Promise<Collection | null> {
  return ctx.db.tx(async (tx) => {
    const after = await apply(ctx, tx, id, answer, askedAt)
    if (after) await also(tx, after)
    return after
  })
}

async function apply(ctx: CollectionsContext, tx: Tx, id: string, answer: PartnerCollection, askedAt: Date): Promise<Collection | null> {
  const [now] = await readCollections(tx, 'id = $1 for update', [id])
  if (!now) return null
  const lies = contradictions(now, answer)
  if (lies.length > 0) {
    ctx.alarm('contradiction')
    ctx.log.error({ collection: id, partnerPaymentId: now.partnerPaymentId, fields: lies }, 'the partner answers with another collection')
    return moveCollection(tx, now, { ...(now.endedAt === null && { reason: 'partner_contradicts' }), nextInMs: nextLookMs(now) })
  }
  if (!isNewer(now, answer, askedAt)) return moveCollection(tx, now, { nextInMs: nextLookMs(now) })
  return moveCollection(tx, now, changeBy(ctx, now, answer, askedAt))
}

function isNewer({ partnerUpdatedAt, partnerAskedAt }: Collection, { updatedAt }: PartnerCollection, askedAt: Date): boolean {
  if (partnerUpdatedAt === null || partnerAskedAt === null || updatedAt > partnerUpdatedAt) return true
  return updatedAt.getTime() === partnerUpdatedAt.getTime() && askedAt > partnerAskedAt
}

function changeBy(ctx: CollectionsContext, now: Collection, answer: PartnerCollection, askedAt: Date): CollectionChange {
  const { status, alarm } = nextOfCollection(now.status, answer.status)
  if (alarm) {
    ctx.alarm(alarm)
    ctx.log.error(
      { collection: now.id, status: now.status, partnerStatus: answer.status },
      'the partner gives a collection a state that needs a look',
    )
  }
  const facts = factsOf(now, answer, askedAt)
  const after: Collection = { ...now, ...facts, status, endedAt: status === now.status ? now.endedAt : endedAtOf(status) }
  // A word that changes nothing keeps the reason of the state that stays.
  const isKept = alarm === 'contradiction' || alarm === 'unknown_status' || (now.status === 'completed' && alarm === null)
  const reason = isKept ? {} : { reason: reasonOfStatus(answer.status) }
  return { ...facts, status, ...reason, absentSince: null, submittedAt: now.submittedAt ?? askedAt, nextInMs: nextLookMs(after) }
}

const endedAtOf = (status: Collection['status']): Date | null => (status === 'pending' || status === 'processing' ? null : new Date())

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

const normalOf = (chain: Collection['chain'], address: string): string | null => addressCodec(registeredChain(chain).family).normalise(address)
