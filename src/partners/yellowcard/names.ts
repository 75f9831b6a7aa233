import type { YellowCardAccount } from './account.ts'

/** Paths of the operations on payments. */
interface PaymentPaths {
  submit: string
  list: string
  one(id: string): string
  accept(id: string): string
  deny(id: string): string
  ofSequence(sequenceId: string): string
}

/**
 * Yellow Card renamed payments to sends, and collections to receives: "The functionality remains identical, only the terminology has changed. Legacy
 * payment endpoints are deprecated but will continue to work" (https://docs.yellowcard.engineering/reference/submit-payment). The look-up by sequence
 * id is documented under the older name only (reference/lookup-payment-by-sequenceid), also on the page of sends. Documents of version 1.0.23.
 */
export const pathsOf = ({ names = 'send' }: Pick<YellowCardAccount, 'names'>): PaymentPaths =>
  names === 'send' ? paths('/business/send', '/business/sends') : paths('/business/payments', '/business/payments')

const paths = (submit: string, list: string): PaymentPaths => {
  const one = (id: string) => `${submit}/${encodeURIComponent(id)}`
  return {
    submit,
    list,
    one,
    accept: (id) => `${one(id)}/accept`,
    deny: (id) => `${one(id)}/deny`,
    ofSequence: (sequenceId) => `/business/payments/sequence-id/${encodeURIComponent(sequenceId)}`,
  }
}
