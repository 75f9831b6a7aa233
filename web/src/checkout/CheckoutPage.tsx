import { useEffect } from 'react'
import { chainNames } from './chainNames.ts'
import { LanguageChoice } from './LanguageChoice.tsx'
import { type Spoken, useLanguage } from './language.ts'
import { Outcome } from './Outcome.tsx'
import { PayPanel } from './PayPanel.tsx'
import { Progress } from './Progress.tsx'
import { stageOf, takesPayment } from './stage.ts'
import type { Checkout } from './types.ts'
import { useCheckout, useNow } from './useCheckout.ts'
import { usePaidSignal } from './usePaidSignal.ts'

/** The page of a session's `checkoutUrl`: what to pay and where, and how far the payment is. */
export function CheckoutPage({ token }: { token: string }) {
  const spoken = useLanguage()
  const { checkout, connection, clockMs } = useCheckout(token)
  const now = useNow(clockMs)
  const { text } = spoken
  const title = checkout ? text('title', { merchant: checkout.merchant }) : text('loading')
  useEffect(() => {
    document.title = title.replace(/[\u2068\u2069]/g, '')
  }, [title])
  return (
    <div className="checkout">
      <header className="bar">
        {checkout?.logo === undefined ? (
          <span className="mark" aria-hidden="true" />
        ) : (
          // The name is in the heading.
          <img className="logo" src={checkout.logo} alt="" />
        )}
        <LanguageChoice spoken={spoken} />
      </header>
      <Content checkout={checkout} connection={connection} spoken={spoken} now={now} />
    </div>
  )
}

interface ContentProps extends Pick<SessionProps, 'spoken' | 'now'> {
  checkout: Checkout | null
  connection: ReturnType<typeof useCheckout>['connection']
}

function Content({ checkout, connection, spoken, now }: ContentProps) {
  const { text } = spoken
  if (connection === 'unknown')
    return (
      <main className="card" aria-live="polite">
        <h1>{text('unknown')}</h1>
        <p>{text('unknownMore')}</p>
      </main>
    )
  if (checkout === null)
    return (
      <main className="card" aria-busy="true">
        <p className="quiet">{connection === 'interrupted' ? text('interrupted') : text('loading')}</p>
      </main>
    )
  return (
    <Session checkout={checkout} spoken={spoken} now={now} isInterrupted={connection === 'interrupted'} />
  )
}

interface SessionProps {
  checkout: Checkout
  spoken: Spoken
  /** The server's time. */
  now: number
  isInterrupted: boolean
}

function Session({ checkout, spoken, now, isInterrupted }: SessionProps) {
  const { text } = spoken
  const stage = stageOf(checkout, now)
  usePaidSignal(stage === 'paid')
  const isOpen = takesPayment(stage)
  return (
    <main className={`card stage-${stage}`}>
      <h1>
        {text('payTo', { merchant: checkout.merchant })}
        {checkout.label !== null && (
          <span className="label">
            <bdi>{checkout.label}</bdi>
          </span>
        )}
      </h1>
      {isInterrupted && <p className="notice warn">{text('interrupted')}</p>}
      {checkout.isReversed && <p className="notice bad">{text('reversed')}</p>}
      {checkout.delayedSince !== undefined && <p className="notice warn">{text('delayed')}</p>}
      <div aria-live="polite">
        <Outcome checkout={checkout} stage={stage} spoken={spoken} />
      </div>
      {isOpen && <PayPanel checkout={checkout} spoken={spoken} now={now} />}
      {!isOpen && stage !== 'expired' && stage !== 'cancelled' && (
        <Progress checkout={checkout} stage={stage} spoken={spoken} />
      )}
      {checkout.exception === 'wrong_token' && (
        <p className="notice warn">
          {text('wrongToken', { token: checkout.token, merchant: checkout.merchant })}
        </p>
      )}
      {checkout.exception === 'wrong_chain' && (
        <p className="notice warn">{text('wrongChain', { merchant: checkout.merchant })}</p>
      )}
      {checkout.returnUrl !== undefined && (
        <a
          className="button primary back"
          href={checkout.returnUrl}
          rel="noopener noreferrer"
          referrerPolicy="no-referrer"
        >
          {text('back', { merchant: checkout.merchant })}
        </a>
      )}
      <p className="foot quiet">
        {checkout.token} · {chainNames[checkout.chain]}
      </p>
    </main>
  )
}
