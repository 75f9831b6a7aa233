import { Money } from '../../ui/Money.tsx'
import type { OperatedBusiness } from '../types.ts'

/** What was taken in a time: in US dollars, and the number of payments. */
export function Taken({ of }: { of: NonNullable<OperatedBusiness['volume']>['today'] | undefined }) {
  if (!of || of.payments === 0) return <span className="fine">Nothing</span>
  return (
    <>
      <Money amount={of.dollars} currency="USD" />
      <span className="fine">{of.payments === 1 ? '1 payment' : `${of.payments} payments`}</span>
    </>
  )
}
