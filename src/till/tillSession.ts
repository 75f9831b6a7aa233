import type { SessionView } from '../sessions/present.ts'

const shown = [
  'id',
  'chain',
  'token',
  'amountExpected',
  'amountReceived',
  'localAmount',
  'localCurrency',
  'status',
  'exception',
  'checkoutUrl',
  'createdAt',
  'expiresAt',
] as const satisfies (keyof SessionView)[]

/** What a till shows of a session: nothing of fees, rates, payouts or the customer. */
export type TillSessionView = Pick<SessionView, (typeof shown)[number]>

export const presentTillSession = (session: TillSessionView): TillSessionView =>
  Object.fromEntries(shown.map((field) => [field, session[field]])) as unknown as TillSessionView
