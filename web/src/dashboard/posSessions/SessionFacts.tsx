import type { ReactNode } from 'react'
import { Facts } from '../../ui/Facts.tsx'
import { moneyText } from '../../ui/Money.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { CopyValue } from './CopyValue.tsx'
import { exceptionLabels, resolutionLabels } from './sessionLabels.ts'
import type { Session } from './types.ts'
import { type Explorers, explorerUrl } from './useExplorers.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every session has. */
const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === undefined || value === '' || value === false ? [] : [[name, value]]

export function SessionFacts({ session, explorers }: { session: Session; explorers: Explorers }) {
  const {
    exception,
    token,
    chain,
    address,
    memo,
    memoType,
    muxedAddress,
    reference,
    label,
    rate,
    localCurrency,
  } = session
  const facts: Fact[] = [
    ...(exception === 'none' ? [] : [['What came', exceptionLabels[exception]] satisfies Fact]),
    ['Requested', `${session.amountExpected} ${token}`],
    ['Received', `${session.amountReceived} ${token}`],
    ...ifAny('Missing, and tolerated', session.amountShort && `${session.amountShort} ${token}`),
    ...ifAny('Refunded', session.amountRefunded !== '0' && `${session.amountRefunded} ${token}`),
    ...ifAny('Decision', session.resolution && resolutionLabels[session.resolution]),
    ...ifAny(
      'In your currency',
      session.localAmount && localCurrency && moneyText(session.localAmount, localCurrency),
    ),
    ...ifAny('Rate', rate && <Rate session={session} />),
    ['Fee', `${session.fee} ${session.feeCurrency}, taken from the payout`],
    ['Network', chainLabel(chain)],
    [
      'Address',
      <CopyValue
        key="address"
        what="address"
        value={address}
        href={explorerUrl(explorers, chain, 'address', address)}
      />,
    ],
    ...ifAny('Memo', memo && `${memo} (${memoType})`),
    ...ifAny('Address with memo', muxedAddress && <code>{muxedAddress}</code>),
    ...ifAny('Reference', reference),
    ...ifAny('Label', label),
    ['Expires', <Time key="expires" at={session.expiresAt} />],
    ...(session.payments.some((each) => each.status !== 'reverted')
      ? [['Confirmations', confirmationsOf(session)] satisfies Fact]
      : []),
    ...ifAny(
      'Payment page',
      session.checkoutUrl && (
        <CopyValue what="link" value={session.checkoutUrl} href={session.checkoutUrl} hrefLabel="Open" />
      ),
    ),
    ['Id', <CopyValue key="id" what="id" value={session.id} />],
  ]
  return <Facts facts={facts} />
}

function Rate({ session: { rate, localCurrency, token, rateAt } }: { session: Session }) {
  return (
    <>
      {rate} {localCurrency} for 1 {token}
      {rateAt && (
        <span className="fine">
          Observed <Time at={rateAt} />
        </span>
      )}
    </>
  )
}

/** How deep the payments are, while that decides anything. */
function confirmationsOf({
  status,
  payments,
  confirmations,
  requiredConfirmations,
  finality,
}: Session): string {
  if (status !== 'pending' || payments.every((each) => each.status !== 'seen')) return 'Confirmed'
  return finality === 'finalized'
    ? `${confirmations}; the network must call the block final`
    : `${Math.min(confirmations, requiredConfirmations)} of ${requiredConfirmations}`
}
