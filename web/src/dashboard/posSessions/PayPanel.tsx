import { type ReactNode, useState } from 'react'
import { QrCode } from '../../ui/QrCode.tsx'
import { chainLabel } from '../labels.ts'
import { CopyValue } from './CopyValue.tsx'
import { missingOf, timeLeft } from './sessionState.ts'
import type { Session } from './types.ts'

interface Props {
  session: Session
  now: number
}

/** Networks whose payment link names the token's contract, which some wallets take for the recipient. */
const linkNamesToken = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism']

/** What a customer needs to pay: the amount, the code, the address, and the link to a page with all of it. */
export function PayPanel({ session, now }: Props) {
  const { token, chain, address, memo, amountReceived, paymentUri, checkoutUrl, expiresAt } = session
  const [chosen, setCode] = useState<'address' | 'link' | 'page'>('address')
  const missing = missingOf(session) ?? '0'
  const isRest = /[1-9]/.test(amountReceived)
  // The session's link has the whole amount: where a part came, only the address and the page are right.
  const codes = [
    'address' as const,
    ...(isRest ? [] : ['link' as const]),
    ...(checkoutUrl ? ['page' as const] : []),
  ]
  const code = codes.includes(chosen) ? chosen : 'address'
  const shown = { address, link: paymentUri, page: checkoutUrl ?? '' }[code]
  return (
    <section className="pay-panel" aria-label="To pay">
      <figure>
        <QrCode text={shown} label={codeLabels[code]} />
        <figcaption className="chips">
          {codes.map((each) => (
            <button
              type="button"
              key={each}
              className="chip"
              aria-pressed={code === each}
              onClick={() => setCode(each)}
            >
              {codeNames[each]}
            </button>
          ))}
        </figcaption>
      </figure>
      <div className="pay-facts">
        <p className="pay-amount">
          <span className="fine">{isRest ? 'Still to send' : 'To send'}</span>
          <span className="figure">
            {missing} <span className="unit">{token}</span>
          </span>
          <span className="fine">
            on {chainLabel(chain)}, within <time dateTime={expiresAt}>{timeLeft(expiresAt, now)}</time>
          </span>
        </p>
        {code === 'link' && linkNamesToken.includes(chain) && (
          <p className="notice warn">
            This code names the token’s contract. Some wallets take it for the recipient: let your customer
            check the address.
          </p>
        )}
        <dl className="pay-values">
          <Value name="Address">
            <CopyValue what="address" value={address} />
          </Value>
          {memo !== undefined && (
            <Value name="Memo, without which it cannot be assigned">
              <CopyValue what="memo" value={memo} />
            </Value>
          )}
          {isRest && (
            <Value name="Amount">
              <CopyValue what="amount" value={missing} />
            </Value>
          )}
          {checkoutUrl && (
            <Value name="Link for your customer">
              <CopyValue what="link" value={checkoutUrl} href={checkoutUrl} hrefLabel="Open" />
            </Value>
          )}
        </dl>
      </div>
    </section>
  )
}

const codeNames = { address: 'Address', link: 'Wallet link', page: 'Payment page' }
const codeLabels = {
  address: 'QR code of the address',
  link: 'QR code of the payment, for wallets',
  page: 'QR code of the payment page',
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="fine">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
