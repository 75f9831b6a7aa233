import { isWholeAmount } from '../../money/amount.ts'
import type { CollectionRequest, PartnerCollection } from '../../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { collectionForm } from './collection.ts'
import { requireLocalAmount } from './localAmount.ts'
import { collectionPathsOf } from './names.ts'
import { post } from './request.ts'

/**
 * Submits a collection that is settled in crypto, by https://docs.yellowcard.engineering/reference/submit-collection-request and docs/direct-settlement:
 * `directSettlement` and `forceAccept` are true, so that the answer has the bank account to pay into.
 * @throws PartnerError `outcome_unknown` also if the answer is not about this collection, or settles to
 * another place: it may have been made
 */
export async function submitCollection(
  account: YellowCardAccount,
  request: CollectionRequest,
): Promise<PartnerCollection> {
  const { sequenceId, localAmount, currency, settlement } = request
  requireLocalAmount(localAmount)
  const collection = await post(
    account,
    collectionPathsOf(account).submit,
    contentOf(request),
    collectionForm,
    { changes: true },
  )
  const wrong = [
    ...(collection.sequenceId === sequenceId ? [] : ['sequenceId']),
    ...(isWholeAmount(collection.localAmount, localAmount) ? [] : ['convertedAmount']),
    ...(collection.currency === currency ? [] : ['currency']),
    ...(isSame(collection.settlement, settlement) ? [] : ['settlementInfo']),
  ]
  if (wrong.length === 0) return collection
  throw new PartnerError(
    'outcome_unknown',
    `Yellow Card answered a submitted collection with another ${wrong.join(', ')}`,
  )
}

/** The partner has no better term for the reason. */
function contentOf({ recipient, settlement, localAmount, customerId, ...rest }: CollectionRequest): object {
  const { kind, ...details } = recipient
  const { address, currency, network, tag } = settlement
  return {
    ...rest,
    // Exact: it is below 2^31.
    localAmount: Number(localAmount),
    recipient: details,
    customerUID: customerId,
    customerType: kind === 'person' ? 'retail' : 'institution',
    reason: 'other',
    forceAccept: true,
    directSettlement: true,
    settlementInfo: {
      walletAddress: address,
      cryptoCurrency: currency,
      cryptoNetwork: network,
      ...(tag === undefined ? {} : { walletTag: tag }),
    },
  }
}

/** The answer may leave out a tag, but not change it. Addresses of EVM chains may have another case. */
function isSame(answered: PartnerCollection['settlement'], asked: CollectionRequest['settlement']): boolean {
  if (answered === null) return false
  const normal = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address)
  return (
    normal(answered.address) === normal(asked.address) &&
    answered.currency === asked.currency &&
    answered.network === asked.network &&
    (answered.tag === null || answered.tag === asked.tag)
  )
}
