import { useState } from 'react'
import { QrCode } from '../ui/QrCode.tsx'
import { CopyField } from './CopyField.tsx'
import { chainNames } from './chainNames.ts'
import { moneyOf, tokensText } from './format.ts'
import type { Spoken } from './language.ts'
import { isMore, timeLeft } from './stage.ts'
import type { Checkout } from './types.ts'

interface Props {
  checkout: Checkout
  spoken: Spoken
  now: number
}

/** Networks whose payment link names the token's contract, which some wallets take for the recipient. */
const linkNamesToken = new Set<Checkout['chain']>([
  'ethereum',
  'polygon',
  'bsc',
  'base',
  'arbitrum',
  'optimism',
])

/** What to send, where, and until when: as text, as a QR code, and as a link for wallets. */
export function PayPanel({ checkout, spoken, now }: Props) {
  const { text, language } = spoken
  const { address, memo, amountMissing, amountReceived, token, localAmount, localCurrency } = checkout
  const [isLink, setIsLink] = useState(false)
  const isRest = isMore(amountReceived)
  const network = chainNames[checkout.chain]
  return (
    <div className="pay">
      <div className="amount">
        <p className="quiet">{text(isRest ? 'sendRest' : 'sendExactly')}</p>
        <p className="figure">
          <bdi>
            {tokensText(amountMissing, language)} <span className="unit">{token}</span>
          </bdi>
        </p>
        {!isRest && localAmount !== null && localCurrency !== null && (
          <p className="quiet">{text('sameAs', { amount: moneyOf(localAmount, localCurrency, language) })}</p>
        )}
      </div>
      <p className="clock">
        <span className="quiet">{text('timeLeft')}</span>{' '}
        <time dateTime={checkout.expiresAt} className="figure-small">
          {timeLeft(checkout.expiresAt, now)}
        </time>
      </p>
      <figure>
        <QrCode
          text={isLink ? checkout.paymentUri : address}
          label={text(isLink ? 'qrOfLink' : 'qrOfAddress')}
        />
        <figcaption>
          <button type="button" className="link" aria-pressed={isLink} onClick={() => setIsLink(!isLink)}>
            {text(isLink ? 'showAddress' : 'showLink')}
          </button>
        </figcaption>
      </figure>
      {isLink && linkNamesToken.has(checkout.chain) && <p className="notice warn">{text('linkWarning')}</p>}
      <p className="notice">{text('onlyNetwork', { token, network })}</p>
      <CopyField spoken={spoken} label={text('address')} value={address} action={text('copyAddress')} />
      {memo !== undefined && (
        <>
          <CopyField spoken={spoken} label={text('memo')} value={memo} action={text('copyMemo')} />
          <p className="notice warn">{text('memoNeeded')}</p>
        </>
      )}
      <div className="actions">
        <CopyField spoken={spoken} value={amountMissing} action={text('copyAmount')} />
        <a className="button" href={checkout.paymentUri}>
          {text('openWallet')}
        </a>
      </div>
    </div>
  )
}
