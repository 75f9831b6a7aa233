import type {
  BusinessRecipient,
  CollectionRequest,
  PersonRecipient,
} from '../../src/partnerPayments/collectionPartner.ts'
import { newId } from '../../src/platform/ids.ts'

/** Channels of the partner's stand-in. */
export const nairaChannel = 'af944f0c-ba70-47c7-86dc-1bad5a6ab4e4'
export const mpesaChannel = '0a0b1f5c-2222-4e3a-8a43-2c2a4a3f1f11'

export const personRecipient: PersonRecipient = {
  kind: 'person',
  name: 'Ada Obi',
  country: 'NG',
  phone: '+2348012345678',
  address: '1 Road, Lagos',
  dob: '02/01/1997',
  email: 'ada@example.com',
  idNumber: '0123456789',
  idType: 'NIN',
  additionalIdType: 'BVN',
  additionalIdNumber: '22123456789',
}
export const businessRecipient: BusinessRecipient = {
  kind: 'business',
  businessId: 'RC-1234',
  businessName: 'Shop',
  email: 'shop@example.com',
}

/** Of a hundred dollars in naira, settled on Base; its payer waits for the test. */
export const collectionRequest = (more: Partial<CollectionRequest> = {}): CollectionRequest => ({
  sequenceId: newId(),
  localAmount: 162_000n,
  channelId: nairaChannel,
  country: 'NG',
  currency: 'NGN',
  recipient: personRecipient,
  source: { accountType: 'bank' },
  settlement: { address: '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe', currency: 'USDC', network: 'BASE' },
  customerId: newId(),
  ...more,
})
