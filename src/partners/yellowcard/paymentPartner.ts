import type { PaymentPartner } from '../../partnerPayments/partner.ts'
import type { YellowCardAccount } from './account.ts'
import { acceptPayment, denyPayment } from './decidePayment.ts'
import { findPayment, readPayment } from './findPayment.ts'
import { listPayments } from './listPayments.ts'
import { readBalances } from './readBalances.ts'
import { readWebhook } from './readWebhook.ts'
import { resolveAccount } from './resolveAccount.ts'
import { submitPayment } from './submitPayment.ts'

/** Payments to banks through Yellow Card. */
export const createPaymentPartner = (account: YellowCardAccount): PaymentPartner => ({
  name: 'yellowcard',
  balances: () => readBalances(account),
  resolveAccount: (bankAccount) => resolveAccount(account, bankAccount),
  submit: (request) => submitPayment(account, request),
  accept: (id) => acceptPayment(account, id),
  deny: (id) => denyPayment(account, id),
  payment: (id) => readPayment(account, id),
  findPayment: (sequenceId) => findPayment(account, sequenceId),
  listPayments: (page) => listPayments(account, page),
  readWebhook: (webhook) => readWebhook(account, webhook),
})
