import { useEffect } from 'react'
import { moneyOf, tokensText } from './format.ts'
import { LanguageChoice } from './LanguageChoice.tsx'
import { LinkForm } from './LinkForm.tsx'
import { type Spoken, useLanguage } from './language.ts'
import type { PayableLink } from './types.ts'
import { usePayableLink } from './usePayableLink.ts'

/** The page of a payment link: the customer chooses how to pay, and goes on to the page of the payment. */
export function LinkPage({ token }: { token: string }) {
  const spoken = useLanguage()
  const { shown, reload } = usePayableLink(token)
  const { text } = spoken
  const title = shown.state === 'ready' ? text('title', { merchant: shown.link.merchant }) : text('loading')
  useEffect(() => {
    document.title = title.replace(/[\u2068\u2069]/g, '')
  }, [title])
  return (
    <div className="checkout">
      <header className="bar">
        <span className="mark" aria-hidden="true" />
        <LanguageChoice spoken={spoken} />
      </header>
      {shown.state === 'ready' ? (
        <Link token={token} link={shown.link} spoken={spoken} onOver={reload} />
      ) : (
        <NoLink state={shown.state} spoken={spoken} onRetry={reload} />
      )}
    </div>
  )
}

interface NoLinkProps {
  state: 'loading' | 'unknown' | 'failed'
  spoken: Spoken
  onRetry: () => void
}

function NoLink({ state, spoken: { text }, onRetry }: NoLinkProps) {
  if (state === 'loading')
    return (
      <main className="card" aria-busy="true">
        <p className="quiet">{text('loading')}</p>
      </main>
    )
  if (state === 'unknown')
    return (
      <main className="card">
        <h1>{text('linkUnknown')}</h1>
        <p>{text('unknownMore')}</p>
      </main>
    )
  return (
    <main className="card">
      <h1>{text('linkFailed')}</h1>
      <button type="button" className="button" onClick={onRetry}>
        {text('goOn')}
      </button>
    </main>
  )
}

interface LinkProps {
  token: string
  link: PayableLink
  spoken: Spoken
  onOver: () => void
}

const overTexts = { disabled: 'linkDisabled', expired: 'linkExpired', used: 'linkUsed' } as const

function Link({ token, link, spoken, onOver }: LinkProps) {
  const { text, language } = spoken
  const { merchant, label, status, amount, localAmount, localCurrency, choices } = link
  return (
    <main className="card">
      <h1>
        {text('payTo', { merchant })}
        {label !== null && (
          <span className="label">
            <bdi>{label}</bdi>
          </span>
        )}
      </h1>
      {status === 'active' && (
        <>
          {localAmount !== null && localCurrency !== null && (
            <div className="amount">
              <p className="figure">
                <bdi>{moneyOf(localAmount, localCurrency, language)}</bdi>
              </p>
              <p className="quiet">{text('priceAtChoice')}</p>
            </div>
          )}
          {amount !== null && (
            <div className="amount">
              <p className="figure">
                <bdi>
                  {tokensText(amount, language)} <span className="unit">{tokensOf(choices).join(' / ')}</span>
                </bdi>
              </p>
            </div>
          )}
        </>
      )}
      {status === 'active' && choices.length > 0 && (
        <LinkForm token={token} link={link} spoken={spoken} onOver={onOver} />
      )}
      {status === 'active' && choices.length === 0 && <p className="notice warn">{text('noNetwork')}</p>}
      {status !== 'active' && (
        <div role="status">
          <p className="state">{text(overTexts[status])}</p>
          <p>{text('linkOverMore', { merchant })}</p>
        </div>
      )}
    </main>
  )
}

const tokensOf = (choices: PayableLink['choices']): string[] => [
  ...new Set(choices.map(({ token }) => token)),
]
