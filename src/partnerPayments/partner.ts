/**
 * A payout partner's account with us, and its payments to banks; `partners/` has the clients. Each call
 * throws PartnerError.
 */
export interface PaymentPartner {
  name: 'yellowcard'
  balances(): Promise<PartnerBalance[]>
  /** The name of a bank account's holder. */
  resolveAccount(account: BankAccount): Promise<ResolvedAccount>
  /** Never repeated: after `outcome_unknown` call `findPayment` before another try. */
  submit(request: PaymentRequest): Promise<PartnerPayment>
  /** Only for a payment that was submitted without `forceAccept`. */
  accept(id: string): Promise<PartnerPayment>
  deny(id: string): Promise<PartnerPayment>
  /** @returns null if the partner answers that it has no such payment */
  payment(id: string): Promise<PartnerPayment | null>
  /** By our own id of the payment. @returns null if the partner answers that it has no such payment */
  findPayment(sequenceId: string): Promise<PartnerPayment | null>
  listPayments(page: PaymentPage): Promise<PartnerPayment[]>
  readWebhook(webhook: PartnerWebhook): WebhookReading
}

export interface PartnerBalance {
  currency: string
  /** `fiat` or `crypto`, in the partner's terms. */
  currencyType: string
  /** A decimal; negative if the account is overdrawn. */
  available: string
}

export interface BankAccount {
  accountNumber: string
  /** The id of a bank (`Bank`). */
  networkId: string
}

export interface ResolvedAccount {
  accountNumber: string
  accountName: string
  accountBank: string
}

export interface PaymentRequest {
  /** Our id of the payment. The partner refuses a second payment with the same one. */
  sequenceId: string
  /** Whole units of the local currency. */
  localAmount: bigint
  /** A channel of the partner, or any active one for a kind of account. */
  channel: { id: string } | { type: 'bank' | 'momo'; country: string; currency: string }
  destination: BankAccount & {
    accountType: 'bank' | 'momo'
    accountName: string
    accountBank?: string
    country?: string
    phoneNumber?: string
  }
  sender: PersonSender | BusinessSender
  /** Our id of the sender. */
  customerId: string
  /** In the partner's terms. */
  reason: string
  /** False: it waits for `accept`, and expires without it. */
  forceAccept: boolean
}

export interface PersonSender {
  kind: 'person'
  name: string
  /** ISO 3166. */
  country: string
  address: string
  /** `mm/dd/yyyy` */
  dob: string
  idNumber: string
  idType: string
  phone?: string
  email?: string
  /** For senders in Nigeria. */
  additionalIdType?: string
  additionalIdNumber?: string
}

export interface BusinessSender {
  kind: 'business'
  /** The number of its registration. */
  businessId: string
  businessName: string
  /** ISO 3166. */
  country?: string
  address?: string
  phone?: string
  email?: string
}

/** The partner's report of a payment. Amounts are exact decimals; null where it has no such field. */
export interface PartnerPayment {
  id: string
  sequenceId: string | null
  /** The partner's own term, as it is: it may have new ones. */
  status: string
  currency: string
  localAmount: string | null
  amountUsd: string | null
  /** Units of the local currency for a dollar. */
  rate: string | null
  feeLocal: string | null
  feeUsd: string | null
  /** The partner's reason of a failure. */
  errorCode: string | null
  /** The bank's reference of the transfer. */
  sessionId: string | null
  updatedAt: Date
  expiresAt: Date | null
}

export interface PaymentPage {
  /** The time that `from` and `to` apply to, and that the list is sorted by, oldest first. */
  by: 'createdAt' | 'updatedAt'
  from: Date
  to: Date
  /** How many payments to leave out. */
  startAt: number
  perPage: number
}

export interface PartnerWebhook {
  /** The bytes of the body as they came: another order of its fields has another signature. */
  rawBody: Buffer
  signature: string | undefined
}

/** Both ids null: it is from the partner, and concerns neither a payment nor a collection. */
export type WebhookReading =
  | { genuine: false }
  | { genuine: true; paymentId: string | null; collectionId: string | null }
