import { chainNames } from './chainNames.ts'
import { moneyOf, timeOf } from './format.ts'
import type { Spoken } from './language.ts'
import type { Stage } from './stage.ts'
import type { Checkout } from './types.ts'

interface Props {
  checkout: Checkout
  stage: Stage
  spoken: Spoken
}

/** How far a payment is, and once it is paid the receipt, which can be printed. */
export function Progress({ checkout, stage, spoken: { text, language } }: Props) {
  const { confirmations, requiredConfirmations, payments, token, localAmount, localCurrency } = checkout
  // Of an overpaid session the price is not worth what came.
  const isPrice = localAmount !== null && localCurrency !== null && checkout.exception !== 'overpaid'
  const counted = payments.filter(({ status }) => status !== 'reverted')
  return (
    <div className="progress">
      {stage === 'confirming' && (
        <progress
          value={confirmations}
          max={requiredConfirmations}
          aria-label={text('confirming', {
            count: String(confirmations),
            required: String(requiredConfirmations),
          })}
        />
      )}
      {stage === 'paid' && (
        <section className="receipt" aria-label={text('receipt')}>
          <dl>
            <div>
              <dt>{text('amount')}</dt>
              <dd>
                <bdi>
                  {checkout.amountReceived} {token}
                </bdi>
                {isPrice && <span className="quiet"> ({moneyOf(localAmount, localCurrency, language)})</span>}
              </dd>
            </div>
            <div>
              <dt>{text('network')}</dt>
              <dd>{chainNames[checkout.chain]}</dd>
            </div>
            {checkout.paidAt !== null && (
              <div>
                <dt>{text('paidAt')}</dt>
                <dd>
                  <time dateTime={checkout.paidAt}>{timeOf(checkout.paidAt, language)}</time>
                </dd>
              </div>
            )}
            {counted.map(({ txId, amount, token: of }) => (
              <div key={`${txId} ${amount}`}>
                <dt>{text('transaction')}</dt>
                <dd>
                  <code dir="ltr">{txId}</code>
                  {counted.length > 1 && (
                    <bdi className="quiet">
                      {' '}
                      {amount} {of}
                    </bdi>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <button type="button" className="button" onClick={() => window.print()}>
            {text('print')}
          </button>
        </section>
      )}
    </div>
  )
}
