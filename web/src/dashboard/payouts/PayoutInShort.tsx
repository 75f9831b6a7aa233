import { Facts } from '../../ui/Facts.tsx'
import { chainLabel } from '../labels.ts'
import { PaidTo } from './PaidTo.tsx'
import type { Payout } from './types.ts'

/** The payout of a dialog: what is taken, where it goes, and what arrives. */
export function PayoutInShort({
  payout,
}: {
  payout: Pick<Payout, 'amount' | 'source' | 'destination' | 'receiveAmount' | 'receiveCurrency'>
}) {
  const { amount, source, destination, receiveAmount, receiveCurrency } = payout
  return (
    <Facts
      facts={[
        ['Amount', `${amount} ${source.token} on ${chainLabel(source.chain)}`],
        ['To', <PaidTo key="to" destination={destination} />],
        ['Arrives', receiveAmount === null ? 'Not priced yet' : `${receiveAmount} ${receiveCurrency}`],
      ]}
    />
  )
}
