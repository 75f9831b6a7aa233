import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { CopyValue } from '../posSessions/CopyValue.tsx'
import { amountOf, linkStatusLabels } from './linkLabels.ts'
import type { PaymentLink } from './types.ts'

export function LinkDetails({ link }: { link: PaymentLink }) {
  const { url, status, accept, reference, sessions, paidSessions, maxSessions } = link
  return (
    <>
      <section className="pay-panel" aria-label="To share">
        <figure>
          <QrCode text={url} label="QR code of the payment link" />
        </figure>
        <div className="pay-facts">
          <p className="pay-amount">
            <span className="fine">Amount</span>
            <span className="strong">{amountOf(link)}</span>
          </p>
          <p>
            <Badge tone={linkStatusLabels[status].tone}>{linkStatusLabels[status].label}</Badge>
          </p>
          <CopyValue what="link" value={url} href={url} hrefLabel="Open" />
        </div>
      </section>
      <Facts
        facts={[
          [
            'Customers pay with',
            accept === null
              ? 'Everything that the business accepts'
              : accept.map(({ chain, token }) => `${token} on ${chainLabel(chain)}`).join(', '),
          ],
          [
            'Payments',
            `${paidSessions} paid of ${sessions}${maxSessions === null ? '' : `, ${maxSessions} at most`}`,
          ],
          ['Reference', reference ?? '–'],
          ['Until', <Time key="until" at={link.expiresAt} />],
          ['Created', <Time key="created" at={link.createdAt} />],
        ]}
      />
    </>
  )
}
