import type { CollectionPartner } from '../../partnerPayments/collectionPartner.ts'
import type { YellowCardAccount } from './account.ts'
import { cancelCollection } from './cancelCollection.ts'
import { readCollectionChannels } from './collectionChannels.ts'
import { cryptoNetworkOf } from './cryptoNetwork.ts'
import { findCollection, getCollection } from './findCollection.ts'
import { listCollections } from './listCollections.ts'
import { readWebhook } from './readWebhook.ts'
import { submitCollection } from './submitCollection.ts'

/** Collections through Yellow Card, settled in stablecoins. */
export const createCollectionPartner = (account: YellowCardAccount): CollectionPartner => ({
  name: 'yellowcard',
  channels: () => readCollectionChannels(account),
  networkOf: cryptoNetworkOf,
  submit: (request) => submitCollection(account, request),
  cancel: (id) => cancelCollection(account, id),
  get: (id) => getCollection(account, id),
  find: (sequenceId) => findCollection(account, sequenceId),
  list: (page) => listCollections(account, page),
  readWebhook: (webhook) => readWebhook(account, webhook),
})
