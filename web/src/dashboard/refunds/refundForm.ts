import { CowryError } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { asSentence, PlainProblem } from '../../ui/plainError.ts'
import { textOf, trimmed } from '../formData.ts'
import { decimalForm } from '../payouts/payoutForm.ts'
import { covers, type Refundable } from './refundable.ts'
import type { NewRefund } from './types.ts'

/** How much, as the form offers it. */
type Kind = NonNullable<NewRefund['kind']> | 'amount'

/** A filled form: what is sent, and the amount that it means. */
export interface RefundDraft {
  body: NewRefund
  amount: string
}

export const keyOfAsset = ({ chain, token }: Pick<Refundable, 'chain' | 'token'>): string =>
  `${chain}:${token}`

type Offered = [kind: Exclude<Kind, 'amount'>, amount: string]

/**
 * The amounts that are offered for an asset: those that the balance covers. `rest` only where it differs from
 * the whole.
 */
export function kindsOf(of: Refundable): Offered[] {
  const { whole, excess, rest } = of
  const all: Offered[] = [
    ...(excess === null ? [] : [['excess', excess] as Offered]),
    whole === null ? ['rest', rest] : ['whole', whole],
  ]
  return all.filter(([, amount]) => covers(of, amount))
}

/** A sent form. @throws FieldProblem */
export function draftIn(data: FormData, offered: readonly Refundable[]): RefundDraft {
  const of = offered.find((each) => keyOfAsset(each) === textOf(data, 'asset')) ?? offered[0]
  if (!of) throw new Error('nothing can be refunded')
  const { chain, token } = of
  const kind = kindsOf(of).find(([each]) => each === textOf(data, 'kind'))
  const amount = kind?.[1] ?? trimmed(data, 'amount')
  if (!decimalForm.test(amount)) throw new FieldProblem({ amount: 'Enter an amount, such as 25 or 12.50.' })
  return { body: { ...(kind ? { kind: kind[0] } : { amount }), chain, token, ...recipientIn(data) }, amount }
}

function recipientIn(data: FormData): Pick<NewRefund, 'toAddress' | 'memo' | 'memoType' | 'claim'> {
  if (textOf(data, 'to') === 'claim') return { claim: true }
  const memo = trimmed(data, 'memo')
  return {
    toAddress: trimmed(data, 'toAddress'),
    ...(memo ? { memo, memoType: textOf(data, 'memoType') as NonNullable<NewRefund['memoType']> } : {}),
  }
}

const subjects: Partial<Record<string, string>> = {
  toAddress: 'The address',
  memo: 'The memo',
  memoType: 'The kind of memo',
  token: 'The token',
}

/** A refusal as text, where the fields that it names are in a form that is closed. */
export function refusalText(error: unknown): unknown {
  const [wrong] = error instanceof CowryError ? (error.fields ?? []) : []
  if (!wrong) return error
  const subject = /^(must|is|has|does|needs)\b/.test(wrong.message) ? subjects[wrong.field] : undefined
  return new PlainProblem(asSentence(subject ? `${subject} ${wrong.message}` : wrong.message))
}
