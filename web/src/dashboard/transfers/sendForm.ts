import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { decimalForm } from '../payouts/payoutForm.ts'
import { difference } from '../refunds/refundable.ts'
import type { SendingWallet, WalletBalance } from '../wallets/types.ts'
import { transferTokenLabels } from './transferLabels.ts'
import type { TransferEstimate, TransferRequest, TransferToken } from './types.ts'

/** What was entered, whole: `all` stands for an amount that is not known yet. */
export type SendDraft = Omit<TransferRequest, 'amount'> & { token: TransferToken; amount: string | 'all' }

/** A transfer that was entered, with its amount and its costs. */
export interface EstimatedTransfer {
  draft: SendDraft
  amount: string
  estimate: TransferEstimate
}

/** What a wallet can send, as choices. */
export const tokenChoicesOf = ({ balances: { native, tokens } }: WalletBalance) => {
  const held = tokens.flatMap(({ symbol }) => {
    const token = symbol?.toLowerCase() ?? ''
    return token === 'usdc' || token === 'usdt' ? [{ value: token, label: transferTokenLabels[token] }] : []
  })
  return [...held, { value: 'native', label: native.symbol }]
}

const isToken = (text: string): text is TransferToken => Object.hasOwn(transferTokenLabels, text)

/** A sent form. @throws FieldProblem */
export function draftIn(data: FormData): SendDraft {
  const [token, amount, memo] = [textOf(data, 'token'), trimmed(data, 'amount'), trimmed(data, 'memo')]
  if (!isToken(token)) throw new FieldProblem({ token: 'Choose one.' })
  const isAll = data.get('all') !== null
  if (!isAll && !decimalForm.test(amount))
    throw new FieldProblem({ amount: 'Enter an amount, such as 25 or 12.50.' })
  return {
    token,
    toAddress: trimmed(data, 'toAddress'),
    amount: isAll ? 'all' : amount,
    ...(memo !== '' && { memo, memoType: memoTypeOf(textOf(data, 'memoType')) }),
  }
}

const memoTypeOf = (text: string): 'text' | 'id' | 'hash' =>
  text === 'id' || text === 'hash' ? text : 'text'

/**
 * How much of the native coin can leave: what there is, less what has to stay, the fee at most, and as much
 * again, for the fee may rise before it is signed. @param estimate of sending all that there is
 */
export function allOf(
  held: string,
  { missing, fee }: Pick<TransferEstimate, 'missing' | 'fee'>,
  symbol: string,
): string | null {
  const lacking = missing.find((each) => each.symbol === symbol)?.missing
  return difference([held], [lacking ?? '0', fee.most])
}

/** True where a second owner has to approve an amount, by the limits of the wallet. */
export function needsApproval(
  limits: Pick<SendingWallet, 'amounts' | 'chain'> | undefined,
  token: TransferToken,
  amount: string,
): boolean {
  const limit = limits?.amounts?.find((each) => each.chain === limits.chain && each.token === token)
  const above = limit?.approvalAbove ?? null
  return above !== null && difference([amount], [above]) !== null
}
