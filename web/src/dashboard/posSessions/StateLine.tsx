import type { SessionState } from './sessionState.ts'
import type { Liveness } from './useLiveSession.ts'

interface Props {
  state: SessionState
  liveness: Liveness
  /** Nothing changes any more by itself. */
  isOver: boolean
}

const livenessTexts: Record<Liveness, string> = {
  live: 'Live',
  connecting: 'Connecting…',
  polling: 'Read every few seconds',
}

/** The state of a payment, large enough to be read across a counter. */
export function StateLine({ state: { title, detail, tone }, liveness, isOver }: Props) {
  return (
    <div className={`payment-state ${tone}`}>
      <span className="sign" aria-hidden="true" />
      <div role="status">
        <p className="payment-state-title">{title}</p>
        <p>{detail}</p>
      </div>
      {!isOver && <p className="live fine">{livenessTexts[liveness]}</p>}
    </div>
  )
}
