import { useBusiness } from '../business/business.ts'
import { refundableOf } from '../refunds/refundable.ts'
import type { OpenDecision } from './decision.ts'
import { exceptionWords } from './sessionWords.ts'
import type { Session } from './types.ts'

export type Resolution = 'accept' | 'leave'

interface Props {
  session: Session
  decision: OpenDecision
  onChoose: (resolution: Resolution) => void
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** Of an overpaid session the excess, while it is held: afterwards it may have been spent. */
const canRefund = (session: Session): boolean => (session.exception === 'overpaid' ? session.held !== undefined : refundableOf(session).length > 0)

const waysOf = (session: Session, { accept, leave }: OpenDecision): string[] => [
  ...(accept ? ['accept what came'] : []),
  ...(canRefund(session) ? ['refund it'] : []),
  ...(leave ? ['leave it'] : []),
]

/** Says that money came otherwise than requested, and offers what can be decided. */
export function DecisionNotice({ session, decision, onChoose }: Props) {
  const { develops } = useBusiness()
  const { exception, status, amountReceived, token, held } = session
  return (
    <aside className="notice warn" aria-label="Decision">
      <p className="strong">{exception === 'none' ? `Not all came: ${amountReceived} ${token}` : exceptionWords[exception]}</p>
      <p>
        {status === 'pending' && 'The rest can still come. '}
        {held && `${held.amount} ${token} more than requested waits until ${held.until.slice(0, 10)}. `}
        {`You can ${anyOf.format(waysOf(session, decision))}.`}
      </p>
      {develops && (
        <div className="button-row">
          {decision.accept && (
            <button type="button" className="button" onClick={() => onChoose('accept')}>
              Accept what came
            </button>
          )}
          {decision.leave && (
            <button type="button" className="button" onClick={() => onChoose('leave')}>
              Leave it
            </button>
          )}
        </div>
      )}
    </aside>
  )
}
