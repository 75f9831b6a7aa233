import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { bridgeStatusLabels, delayLabels, speedLabels } from './bridgeLabels.ts'
import type { BridgeTransfer } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every transfer has. */
const ifAny = (name: string, value: ReactNode): Fact[] => (value === null ? [] : [[name, value]])

export function BridgeFacts({ transfer }: { transfer: BridgeTransfer }) {
  const {
    status,
    delay,
    errorMessage,
    amount,
    amountReceived,
    fee,
    maxFee,
    speed,
    executedSpeed,
    automatic,
  } = transfer
  const { label, tone } = bridgeStatusLabels[status]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...ifAny(status === 'pending' ? 'Waits' : 'Delay', delay && delayLabels(delay)),
    ...ifAny('Reason', errorMessage && `${errorMessage}. Nothing was sent.`),
    ['Amount', `${amount} USDC`],
    ['Fee', fee === null ? `${maxFee} USDC at most` : `${fee} USDC`],
    ...ifAny('Received', amountReceived && `${amountReceived} USDC`),
    ['From', <Place key="from" chain={transfer.sourceChain} address={transfer.sourceAddress} />],
    ['To', <Place key="to" chain={transfer.destinationChain} address={transfer.destinationAddress} />],
    [
      'Speed',
      executedSpeed === null || executedSpeed === speed
        ? speedLabels[speed]
        : 'Standard, although fast was requested',
    ],
    ['Minted by', automatic ? 'Circle, or this platform if Circle is late' : 'This platform'],
    ['Created', <Time key="created" at={transfer.createdAt} />],
    ['Changed', <Time key="changed" at={transfer.updatedAt} />],
    ['Id', <code key="id">{transfer.id}</code>],
  ]
  return <Facts facts={facts} />
}

export function Place({
  chain,
  address,
  isShort = false,
}: {
  chain: string
  address: string
  isShort?: boolean
}) {
  return (
    <>
      {chainLabel(chain)}
      <span className="fine">{isShort ? <ShortAddress of={address} /> : <code>{address}</code>}</span>
    </>
  )
}
