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

/** Paths of the operations on collections. */
interface CollectionPaths {
  submit: string
  list: string
  one(id: string): string
  cancel(id: string): string
  ofSequence(sequenceId: string): string
}

/**
 * Yellow Card renamed payments to sends, and collections to receives: "The functionality remains identical,
 * only the terminology has changed. Legacy payment endpoints are deprecated but will continue to work"
 * (https://docs.yellowcard.engineering/reference/submit-payment). The look-up by sequence id is documented
 * under the older name only (reference/lookup-payment-by-sequenceid), also on the page of sends. Documents of
 * version 1.0.23.
 */
export const pathsOf = ({ names = 'send' }: Pick<YellowCardAccount, 'names'>): PaymentPaths =>
  names === 'send'
    ? paths('/business/send', '/business/sends')
    : paths('/business/payments', '/business/payments')

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

/**
 * The same switch for collections, that are called receives now: "These `/receive` endpoints replace the
 * legacy `/collections` endpoints"
 * (https://docs.yellowcard.engineering/reference/submit-collection-request). Their look-up by sequence id is documented under both names. Documents of
 * version 1.0.36; the older names as public clients have them (kwiikpay/yellowcard-adapter).
 */
export const collectionPathsOf = ({ names = 'send' }: Pick<YellowCardAccount, 'names'>): CollectionPaths => {
  const submit = names === 'send' ? '/business/receive' : '/business/collections'
  const list = names === 'send' ? '/business/receives' : submit
  const one = (id: string) => `${submit}/${encodeURIComponent(id)}`
  return {
    submit,
    list,
    one,
    cancel: (id) => `${one(id)}/cancel`,
    ofSequence: (sequenceId) => `${submit}/sequence-id/${encodeURIComponent(sequenceId)}`,
  }
}
