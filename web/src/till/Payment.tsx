import { useEffect, useRef, useState } from 'react'
import { chainNames } from '../checkout/chainNames.ts'
import { stageOf, takesPayment } from '../checkout/stage.ts'
import { useCheckout, useNow } from '../checkout/useCheckout.ts'
import { usePaidSignal } from '../checkout/usePaidSignal.ts'
import { useApi } from '../dashboard/session/session.ts'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { currencyAmount } from './currencyAmount.ts'
import { PayCode } from './PayCode.tsx'
import { stateText } from './stateText.ts'
import type { TillSession } from './types.ts'
import { useAwake } from './useAwake.ts'

interface Props {
  businessId: string
  session: TillSession
  onNext: () => void
}

/** One payment: the customer scans, and the cashier sees how far it is. */
export function Payment({ businessId, session, onNext }: Props) {
  const api = useApi()
  const { checkout, connection, clockMs } = useCheckout(tokenOf(session.checkoutUrl))
  const now = useNow(clockMs)
  const stage = checkout && stageOf(checkout, now)
  const [failure, setFailure] = useState<unknown>()
  const heading = useRef<HTMLHeadingElement>(null)
  usePaidSignal(stage === 'paid')
  useAwake()
  useEffect(() => {
    document.title = 'Payment · Till'
    heading.current?.focus({ preventScroll: true })
  }, [])

  async function cancel(): Promise<void> {
    setFailure(undefined)
    try {
      await api.call('cancelTillSession', { path: { businessId, id: session.id } })
    } catch (error) {
      setFailure(error)
    }
  }

  const isOpen = stage !== null && takesPayment(stage)
  const isOver = stage === 'paid' || stage === 'expired' || stage === 'cancelled'
  const price =
    session.localAmount !== null && session.localCurrency !== null
      ? currencyAmount(session.localAmount, session.localCurrency)
      : `${session.amountExpected} ${session.token}`
  return (
    <section className={`payment payment-${stage ?? 'loading'}`} aria-label="Payment">
      <div className="payment-facts">
        <h1 ref={heading} tabIndex={-1}>
          {price}
        </h1>
        <p className="quiet">
          {session.token} on {chainNames[session.chain]}
        </p>
        {connection === 'interrupted' && (
          <p className="notice warn">Not connected. Trying again; the payment goes on.</p>
        )}
        {checkout?.isReversed && (
          <p className="notice danger">
            The network has taken the payment back. Do not hand anything over yet.
          </p>
        )}
        {checkout?.delayedSince !== undefined && (
          <p className="notice warn">This network is read late: the payment is seen with a delay.</p>
        )}
        <div className={`outcome outcome-${stage ?? 'loading'}`} role="status">
          {checkout && stage ? (
            <>
              <span className={`sign sign-${stage}`} aria-hidden="true" />
              {stateText(checkout, stage, now).map((line, index) => (
                <p key={line} className={index === 0 ? 'state' : undefined}>
                  {line}
                </p>
              ))}
            </>
          ) : (
            <Loading />
          )}
        </div>
        {failure !== undefined && <Failed error={failure} />}
        <div className="till-actions">
          {stage === 'waiting' && (
            <button type="button" className="button danger" onClick={() => void cancel()}>
              Cancel payment
            </button>
          )}
          <button type="button" className={isOver ? 'button primary' : 'button'} onClick={onNext}>
            Next customer
          </button>
        </div>
      </div>
      {checkout && isOpen && <PayCode checkout={checkout} checkoutUrl={session.checkoutUrl} />}
    </section>
  )
}

/** The last part of a session's `checkoutUrl`. */
const tokenOf = (url: string): string => new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? ''
