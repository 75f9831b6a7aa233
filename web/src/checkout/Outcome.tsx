import type { Spoken } from './language.ts'
import { isMore, type Stage } from './stage.ts'
import type { Checkout } from './types.ts'

interface Props {
  checkout: Checkout
  stage: Stage
  spoken: Spoken
}

/** The state in one large line, with what it means for the customer. */
export function Outcome({ checkout, stage, spoken: { text } }: Props) {
  const { merchant, token, amountExpected, amountReceived, exception, confirmations, requiredConfirmations } =
    checkout
  const head: Record<Stage, string> = {
    waiting: text('waiting'),
    partly_paid: text('partlyPaid', { received: amountReceived, expected: amountExpected, token }),
    seen: text('seen'),
    confirming: text('confirming', {
      count: String(confirmations),
      required: String(requiredConfirmations),
    }),
    checking: text('checking'),
    paid: text('paid'),
    expired: text('expired'),
    cancelled: text('cancelled'),
  }
  return (
    <div className={`outcome outcome-${stage}`} role="status">
      <span className={`sign sign-${stage}`} aria-hidden="true" />
      <p className="state">{head[stage]}</p>
      {stage === 'paid' && (
        <p>
          {text(exception === 'overpaid' ? 'overpaid' : 'paidMore', {
            amount: amountReceived,
            token,
            merchant,
          })}
        </p>
      )}
      {stage === 'seen' && <p>{text(checkout.finality === 'finalized' ? 'seenFinal' : 'keepOpen')}</p>}
      {stage === 'confirming' && <p>{text('keepOpen')}</p>}
      {stage === 'checking' && <p>{text('checkingMore')}</p>}
      {stage === 'expired' && <p>{expiredText()}</p>}
      {stage === 'cancelled' && (
        <p>{exception === 'late' ? text('late', { merchant }) : text('cancelledMore')}</p>
      )}
    </div>
  )

  function expiredText(): string {
    if (exception === 'late') return text('late', { merchant })
    if (isMore(amountReceived)) return text('expiredPartly', { received: amountReceived, token, merchant })
    return text('expiredMore', { merchant })
  }
}
