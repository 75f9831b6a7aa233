import type { ChainName, TokenSymbol } from '../chains/registry.ts'
import type { PartnerWebhook, WebhookReading } from './partner.ts'

/**
 * A partner that collects local money, and settles it in stablecoins; `partners/` has the clients. Each call
 * throws PartnerError.
 */
export interface CollectionPartner {
  name: 'yellowcard'
  /** Where money can be collected now. */
  channels(): Promise<CollectionChannel[]>
  /** The partner's name of a chain for a token; null: it does not settle this token there. */
  networkOf(chain: ChainName, token: TokenSymbol): string | null
  /** Never repeated: after `outcome_unknown` call `find` before another try. */
  submit(request: CollectionRequest): Promise<PartnerCollection>
  /**
   * Money that comes later goes back to its sender. Only while it is `pending` or `processing`, and only in
   * Nigeria.
   */
  cancel(id: string): Promise<PartnerCollection>
  /** @returns null if the partner answers that it has no such collection */
  get(id: string): Promise<PartnerCollection | null>
  /** By our own id of the collection. @returns null if the partner answers that it has no such collection */
  find(sequenceId: string): Promise<PartnerCollection | null>
  list(page: CollectionPage): Promise<CollectionList>
  readWebhook(webhook: PartnerWebhook): WebhookReading
}

export interface CollectionChannel {
  id: string
  type: 'bank' | 'momo'
  /** ISO 3166. */
  country: string
  currency: string
  /** Decimals in local currency, of one collection; null: the channel has no maximum of its own. */
  min: string
  max: string | null
  /** The banks or mobile networks that its money comes from. */
  networks: { id: string; name: string }[]
}

export interface CollectionRequest {
  /** Our id of the collection. The partner refuses a second one with the same id. */
  sequenceId: string
  /** Whole units of the local currency. */
  localAmount: bigint
  channelId: string
  country: string
  currency: string
  recipient: PersonRecipient | BusinessRecipient
  /** Where the money comes from. Mobile money needs a number and a network; a bank transfer needs neither. */
  source: { accountType: 'bank' | 'momo'; accountNumber?: string; networkId?: string }
  /** Where the crypto goes to: `network` is the partner's name, `tag` a memo on Stellar. */
  settlement: { address: string; currency: TokenSymbol; network: string; tag?: string }
  /** Our id of the recipient. */
  customerId: string
  /** Some channels send the payer there afterwards, and refuse a request without it. */
  redirectUrl?: string
}

export interface PersonRecipient {
  kind: 'person'
  name: string
  /** ISO 3166. */
  country: string
  phone: string
  address: string
  /** `mm/dd/yyyy` */
  dob: string
  email: string
  idNumber: string
  idType: string
  /** Needed in Nigeria. */
  additionalIdType?: string
  additionalIdNumber?: string
}

export interface BusinessRecipient {
  kind: 'business'
  /** The number of its registration. */
  businessId: string
  businessName: string
  email: string
}

/** The partner's report of a collection. Amounts are exact decimals; null where it has no such field. */
export interface PartnerCollection {
  id: string
  sequenceId: string | null
  /** The partner's own term, as it is: it may have new ones. */
  status: string
  createdAt: Date
  updatedAt: Date
  expiresAt: Date | null
  currency: string
  country: string | null
  /** What the payer has to pay. */
  localAmount: string | null
  /** The same, by the partner's field: fixed by the request, or calculated from dollars. */
  convertedAmount: string | null
  amountUsd: string | null
  /** Units of the local currency for a dollar. */
  rate: string | null
  /** What is settled; it may have more places than the token. */
  cryptoAmount: string | null
  serviceFeeUsd: string | null
  networkFeeUsd: string | null
  /** The payer adds it to the transfer. */
  reference: string | null
  /** The account to pay into. */
  bank: { name: string; accountNumber: string | null; accountName: string | null } | null
  settlement: {
    address: string
    tag: string | null
    currency: string
    network: string
    txHash: string | null
    status: string | null
  } | null
  /** The partner's reason of a failure. */
  errorCode: string | null
}

/** A page of the collections that changed in a time, the oldest change first. */
export interface CollectionPage {
  /** By the partner's clock; without it, of the last 24 hours. */
  startDate?: Date
  /** Without it, up to now. */
  endDate?: Date
  /** From 1. */
  page: number
  /** At most 100. */
  perPage: number
}

export interface CollectionList {
  /** One may be on two pages, next to each other. */
  collections: PartnerCollection[]
  /** How many were left out, because they cannot be read: a look-up of each shows why. */
  unreadable: number
  /** No further page has one. */
  isLast: boolean
}
