import { QrCode } from '../../ui/QrCode.tsx'
import { chainLabel } from '../labels.ts'
import { CopyValue } from '../posSessions/CopyValue.tsx'
import { explorerUrl, useExplorers } from '../posSessions/useExplorers.ts'
import type { Wallet } from './types.ts'

/** Where to send to: the address, to scan and to copy. */
export function WalletPanel({ wallet: { chain, address, archivedAt } }: { wallet: Wallet }) {
  const explorers = useExplorers()
  return (
    <section className="pay-panel" aria-label="Address">
      <figure>
        <QrCode text={address} label="QR code of the address" />
      </figure>
      <div className="pay-facts">
        <p className="pay-amount">
          <span className="fine">Network</span>
          <span className="figure">{chainLabel(chain)}</span>
          <span className="fine">
            {archivedAt
              ? 'It is archived: nothing is sent from it any more.'
              : 'Send to it on this network only: what comes on another one cannot be seen here.'}
          </span>
        </p>
        <dl className="pay-values">
          <div>
            <dt className="fine">Address</dt>
            <dd>
              <CopyValue
                what="address"
                value={address}
                href={explorerUrl(explorers, chain, 'address', address)}
              />
            </dd>
          </div>
        </dl>
      </div>
    </section>
  )
}
