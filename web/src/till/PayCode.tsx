import { useState } from 'react'
import type { Checkout } from '../checkout/types.ts'
import { QrCode } from '../ui/QrCode.tsx'

const codes = {
  address: { button: 'Address', label: 'QR code of the address' },
  link: { button: 'Wallet link', label: 'QR code of a payment link for wallets' },
  page: { button: 'Page', label: "QR code of the customer's payment page" },
} as const
type Code = keyof typeof codes

/** The code that the customer scans, large; every wallet reads the plain address. */
export function PayCode({ checkout, checkoutUrl }: { checkout: Checkout; checkoutUrl: string }) {
  const [code, choose] = useState<Code>('address')
  const { address, memo, amountMissing, token, paymentUri } = checkout
  const texts: Record<Code, string> = { address, link: paymentUri, page: checkoutUrl }
  return (
    <div className="pay-code">
      <QrCode text={texts[code]} label={codes[code].label} />
      <p className="till-send">
        <span className="quiet">The customer sends exactly</span>
        <strong className="figure">
          {amountMissing} {token}
        </strong>
      </p>
      {memo !== undefined && code === 'address' && (
        <p className="notice warn">
          With the memo <code>{memo}</code>, which this code does not hold: the wallet link does.
        </p>
      )}
      <fieldset className="till-codes">
        <legend className="unseen">What the code holds</legend>
        {(Object.keys(codes) as Code[]).map((each) => (
          <button
            key={each}
            type="button"
            className="button"
            aria-pressed={code === each}
            onClick={() => choose(each)}
          >
            {codes[each].button}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
