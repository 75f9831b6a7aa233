import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import type { Loadable } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { transfersPath } from '../transfers/paths.ts'
import { TransferTable } from '../transfers/TransferTable.tsx'
import type { Transfer } from '../transfers/types.ts'

interface Props {
  of: Pick<Loadable<{ transfers: Transfer[]; total: number }>, 'now' | 'reload'>
  walletId: string
  mayGetMore: boolean
}

/** The newest transfers from a wallet. */
export function WalletTransfers({ of, walletId, mayGetMore }: Props) {
  const { business } = useBusiness()
  return (
    <Section title="Transfers">
      <Loaded of={of}>
        {({ transfers, total }) =>
          transfers.length === 0 ? (
            <Empty title="Nothing was sent from it yet.">
              {mayGetMore && <p>Send coins to its address, then press Send.</p>}
            </Empty>
          ) : (
            <>
              <TransferTable transfers={transfers} />
              {total > transfers.length && (
                <p className="fine">
                  <Link href={`${transfersPath(business.id)}?wallet=${encodeURIComponent(walletId)}`}>
                    All {total} transfers from it
                  </Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
