import { Link } from 'wouter'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { describeAmounts, writeLimits } from '../sending/limitsForm.ts'
import { businessPath } from '../shell/navigation.ts'
import type { SendingWallet } from './types.ts'

/** The limits of what is sent from a wallet; they are changed with those of the others. */
export function WalletLimits({ wallet }: { wallet: SendingWallet }) {
  const { business, owns } = useBusiness()
  return (
    <Section title="Limits">
      <ul className="lines">
        {amountLines(wallet).map((line) => (
          <li key={line}>{line}</li>
        ))}
        <Destinations wallet={wallet} />
      </ul>
      <p className="fine">
        <Link href={`${businessPath(business.id)}/settings/sending`}>
          {owns ? 'Change the limits' : 'All limits'}
        </Link>
      </p>
    </Section>
  )
}

function amountLines(wallet: SendingWallet): string[] {
  if (wallet.amounts === null) return ['Amounts are not limited.']
  return wallet.amounts.length === 0 ? ['Nothing is sent.'] : describeAmounts(wallet).split('\n')
}

function Destinations({ wallet }: { wallet: SendingWallet }) {
  if (wallet.destinations === null) return <li>It sends to any address.</li>
  if (wallet.destinations.length === 0) return <li>It sends to no address.</li>
  return writeLimits(wallet)
    .destinations.split('\n')
    .map((line) => (
      <li key={line}>
        Sends to <code>{line}</code>
      </li>
    ))
}
