import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { chainLabel } from '../labels.ts'
import { countryName } from './payoutLabels.ts'
import type { Payout } from './types.ts'

/** Where a payout goes. */
export function PaidTo({
  destination: { name, chain, address, memo, bankName, country, accountNumber, accountName },
  isShort = false,
}: Pick<Payout, 'destination'> & { isShort?: boolean }) {
  return (
    <>
      {name && <span className="strong">{name} </span>}
      {isShort && chain !== null && address !== null ? (
        <ShortAddress of={address} />
      ) : (
        <code>{chain === null ? accountNumber : address}</code>
      )}
      <span className="fine">
        {chain === null
          ? [accountName, bankName, country && countryName(country)]
              .filter((each) => each !== null)
              .join(', ')
          : `${chainLabel(chain)}${memo === null ? '' : `, memo ${memo}`}`}
      </span>
    </>
  )
}
