import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { exceptionLabels, resolutionLabels, statusLabels } from './sessionLabels.ts'
import type { Session } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every session has. */
const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === undefined || value === '' || value === false ? [] : [[name, value]]

export function SessionFacts({ session }: { session: Session }) {
  const {
    status,
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
    [
      'State',
      <Badge key="state" tone={statusLabels[status].tone}>
        {statusLabels[status].label}
      </Badge>,
    ],
    ...(exception === 'none' ? [] : [['What came', exceptionLabels[exception]] satisfies Fact]),
    ['Requested', `${session.amountExpected} ${token}`],
    ['Received', `${session.amountReceived} ${token}`],
    ...ifAny('Missing, and tolerated', session.amountShort && `${session.amountShort} ${token}`),
    ...ifAny('Refunded', session.amountRefunded !== '0' && `${session.amountRefunded} ${token}`),
    ...ifAny('Decision', session.resolution && resolutionLabels[session.resolution]),
    ...ifAny('In your currency', session.localAmount && `${session.localAmount} ${localCurrency}`),
    ...ifAny('Rate', rate && <Rate session={session} />),
    ['Fee', `${session.fee} ${session.feeCurrency}, taken from the payout`],
    ['Network', chainLabel(chain)],
    ['Address', <code key="address">{address}</code>],
    ...ifAny('Memo', memo && `${memo} (${memoType})`),
    ...ifAny('Address with memo', muxedAddress && <code>{muxedAddress}</code>),
    ...ifAny('Reference', reference),
    ...ifAny('Label', label),
    ['Expires', <Time key="expires" at={session.expiresAt} />],
    ...(session.payments.length > 0 ? [['Confirmations', confirmationsOf(session)] satisfies Fact] : []),
    ['Id', <code key="id">{session.id}</code>],
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

const confirmationsOf = ({ confirmations, requiredConfirmations, finality }: Session): string =>
  finality === 'finalized'
    ? `${confirmations}; the network must call the block final`
    : `${confirmations} of ${requiredConfirmations}`
