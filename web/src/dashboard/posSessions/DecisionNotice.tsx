import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import type { Refundable } from '../refunds/refundable.ts'
import type { OpenDecision } from './decision.ts'
import { exceptionLabels } from './sessionLabels.ts'
import type { Session } from './types.ts'

export type Resolution = 'accept' | 'leave'

interface Props {
  session: Session
  decision: OpenDecision
  refundable: readonly Refundable[]
  onChoose: (resolution: Resolution) => void
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** Of an overpaid session the excess, while it is held: afterwards it may have been spent. */
const canRefund = ({ exception, held }: Session, refundable: readonly Refundable[]): boolean =>
  exception === 'overpaid' ? held !== undefined : refundable.some(({ now }) => now !== '0')

const waysOf = (
  session: Session,
  { accept, leave }: OpenDecision,
  refundable: readonly Refundable[],
): string[] => [
  ...(accept ? ['accept what came'] : []),
  ...(canRefund(session, refundable) ? ['refund it'] : []),
  ...(leave ? ['leave it'] : []),
]

/** Shows that money came otherwise than requested, and offers what can be decided. */
export function DecisionNotice({ session, decision, refundable, onChoose }: Props) {
  const { develops } = useBusiness()
  const { exception, status, amountReceived, token, held } = session
  return (
    <aside className="notice warn" aria-label="Decision">
      <p className="strong">
        {exception === 'none' ? `Not all came: ${amountReceived} ${token}` : exceptionLabels[exception]}
      </p>
      <p>
        {status === 'pending' && 'The rest can still come. '}
        {held && (
          <>
            {`${held.amount} ${token} more than requested waits until `}
            <Time at={held.until} />
            {'. '}
          </>
        )}
        {`You can ${anyOf.format(waysOf(session, decision, refundable))}.`}
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
