import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Section } from '../../ui/Section.tsx'
import { chainLabel } from '../labels.ts'
import { settlementLabels } from './collectionLabels.ts'
import { type Fact, ifAny } from './facts.ts'
import type { Collection } from './types.ts'

/** What the partner settles, and what the chain has of it. */
export function SettlementFacts({ collection }: { collection: Collection }) {
  const {
    settlement,
    walletAddress,
    cryptoCurrency,
    cryptoNetwork,
    cryptoAmount,
    currency,
    rate,
    networkFeeUsd,
    serviceFeeUsd,
    txId,
  } = collection
  const { label, tone } = settlementLabels[settlement]
  const dollars = (name: string, amount: string | null): Fact[] => ifAny(name, amount && `${amount} USD`)
  const facts: Fact[] = [
    [
      'On the chain',
      <Badge key="settlement" tone={tone}>
        {label}
      </Badge>,
    ],
    ['Token', `${cryptoCurrency} on ${chainLabel(cryptoNetwork)}`],
    ['Amount', cryptoAmount === null ? 'Not known yet' : `${cryptoAmount} ${cryptoCurrency}`],
    ['Wallet', <code key="wallet">{walletAddress}</code>],
    ...ifAny('Transaction', txId && <code>{txId}</code>),
    ...ifAny('Rate', rate && `${rate} ${currency} for a dollar`),
    ...dollars('Network fee', networkFeeUsd),
    ...dollars('Service fee', serviceFeeUsd),
  ]
  return (
    <Section title="Settlement">
      <Facts facts={facts} />
    </Section>
  )
}
