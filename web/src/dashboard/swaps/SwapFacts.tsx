import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import {
  boughtLabel,
  boughtName,
  providerNames,
  soldName,
  swapReasonLabels,
  swapStatusLabels,
} from './swapLabels.ts'
import type { Swap } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every swap has. */
const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === undefined || value === '' ? [] : [[name, value]]

export function SwapFacts({ swap }: { swap: Swap }) {
  const {
    status,
    reason,
    message,
    sellAmount,
    buyAmount,
    minBuyAmount,
    amountReceived,
    fee,
    feeCurrency,
    rent,
  } = swap
  const { label, tone } = swapStatusLabels[status]
  const bought = boughtName(swap)
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...ifAny(
      'Reason',
      reason && `${swapReasonLabels(reason)}.${status === 'pending' ? '' : ' Nothing was swapped.'}`,
    ),
    ...ifAny('Details', message),
    ['Sells', <Token key="sold" amount={`${sellAmount} ${soldName(swap)}`} address={swap.sellToken} />],
    [boughtLabel(swap), <Token key="bought" amount={`${buyAmount} ${bought}`} address={swap.buyToken} />],
    ['At least', `${minBuyAmount} ${bought}, ${swap.slippageBps / 100} % less than quoted`],
    ...ifAny('Received', amountReceived && `${amountReceived} ${bought}`),
    ['Network', chainLabel(swap.chain)],
    ['Provider', providerNames[swap.provider]],
    ['From', <code key="from">{swap.fromAddress}</code>],
    ['To', swap.toAddress === swap.fromAddress ? 'The same address' : <code key="to">{swap.toAddress}</code>],
    ...ifAny('Network fee', fee && `${fee} ${feeCurrency}`),
    ...ifAny('Accounts opened', rent && rent !== '0' ? `${rent} ${feeCurrency}` : null),
    ...ifAny('Block', swap.blockHeight),
    ['Created', <Time key="created" at={swap.createdAt} />],
    ['Changed', <Time key="changed" at={swap.updatedAt} />],
    ['Id', <code key="id">{swap.id}</code>],
  ]
  return <Facts facts={facts} />
}

/** An amount with the token's address: its symbol may be anything. */
function Token({ amount, address }: { amount: string; address: string }) {
  return (
    <>
      {amount}
      {address !== 'native' && (
        <span className="fine">
          <code>{address}</code>
        </span>
      )}
    </>
  )
}
