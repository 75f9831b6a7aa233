import { CopyButton } from '../../ui/CopyButton.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { isFinal, isOpen } from './collectionLabels.ts'
import { type Fact, ifAny } from './facts.ts'
import type { Collection } from './types.ts'

/** The account that the customer pays into. */
export function PayInto({ collection }: { collection: Collection }) {
  const { amount, currency, bankName, bankAccountNumber, bankAccountName, partnerReference, expiresAt } =
    collection
  const isWaiting = isOpen(collection)
  if (bankName === null && bankAccountNumber === null)
    return (
      <Section title="Account to pay into">
        <Empty
          title={
            isWaiting ? 'The partner has not named an account yet.' : 'The partner has named no account.'
          }
        />
      </Section>
    )
  const account: [string, string | null][] = [
    ['Bank', bankName],
    ['Account number', bankAccountNumber],
    ['Account holder', bankAccountName],
    ['Reference of the payment', partnerReference],
  ]
  const lines = [['Amount', `${amount} ${currency}`], ...account.filter(([, value]) => value !== null)].map(
    ([name, value]) => `${name}: ${value}`,
  )
  const facts: Fact[] = [
    ['To pay', `${amount} ${currency}`],
    ...account.flatMap(([name, value]) => ifAny(name, value)),
    ...ifAny('Until', expiresAt && <Time at={expiresAt} />),
  ]
  return (
    <Section title="Account to pay into" lead={leadOf(collection)}>
      <Facts facts={facts} />
      {isWaiting && <CopyButton text={lines.join('\n')} label="Copy account" />}
    </Section>
  )
}

function leadOf(collection: Collection): string | undefined {
  if (isOpen(collection)) return 'Give this to your customer.'
  return isFinal(collection) ? undefined : 'Money that comes now is settled late, or goes back.'
}
