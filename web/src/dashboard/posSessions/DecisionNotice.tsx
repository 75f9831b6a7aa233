import { useBusiness } from '../business/business.ts'
import type { OpenDecision } from './decision.ts'
import { exceptionWords } from './sessionWords.ts'
import type { Session } from './types.ts'

export type Resolution = 'accept' | 'leave'

interface Props {
  session: Session
  decision: OpenDecision
  onChoose: (resolution: Resolution) => void
}

/** Says that money came otherwise than requested, and offers what can be decided. */
export function DecisionNotice({ session: { exception, status, amountReceived, token }, decision, onChoose }: Props) {
  const { develops } = useBusiness()
  const ways = [
    ...(decision.accept ? ['accept what came'] : []),
    ...(status === 'pending' ? [] : ['refund it']),
    ...(decision.leave ? ['leave it'] : []),
  ]
  return (
    <aside className="notice warn" aria-label="Decision">
      <p className="strong">{exception === 'none' ? `Not all came: ${amountReceived} ${token}` : exceptionWords[exception]}</p>
      <p>{`This payment waits for a decision: ${ways.join(', or ')}.`}</p>
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
