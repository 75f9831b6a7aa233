import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { CopyValue } from '../posSessions/CopyValue.tsx'
import { TransactionId } from '../posSessions/TransactionId.tsx'
import { type Explorers, explorerUrl } from '../posSessions/useExplorers.ts'
import { walletPath } from '../wallets/paths.ts'
import { keptByToken } from './transferState.ts'
import type { Transfer } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every transfer has. */
const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === undefined ? [] : [[name, value]]

export function TransferFacts({ transfer, explorers }: { transfer: Transfer; explorers: Explorers }) {
  const { business } = useBusiness()
  const { id, chain, symbol, amount, fromAddress, toAddress, memo, memoType, walletId, txHash } = transfer
  const { fee, feeCurrency, blockHeight, validUntil, waitUntil } = transfer
  const kept = keptByToken(transfer)
  const place = (what: string, address: string) => (
    <CopyValue what={what} value={address} href={explorerUrl(explorers, chain, 'address', address)} />
  )
  const facts: Fact[] = [
    ['Amount', `${amount} ${symbol}`],
    ...ifAny('Kept by the token', kept && `${kept} ${symbol}`),
    ...ifAny('Network fee', fee && `${fee} ${feeCurrency}`),
    ['Network', chainLabel(chain)],
    ['To', place('recipient', toAddress)],
    ...ifAny('Memo', memo && `${memo} (${memoType})`),
    ['From', place('sender', fromAddress)],
    ...ifAny('Wallet', walletId && <Link href={walletPath(business.id, walletId)}>Open the wallet</Link>),
    ...ifAny('Transaction', txHash && <TransactionId chain={chain} txId={txHash} explorers={explorers} />),
    ...ifAny('Block', blockHeight),
    ...ifAny('Waits until', waitUntil && <Time at={waitUntil} />),
    ...ifAny('Valid until', validUntil && <Time at={validUntil} />),
    ['Created', <Time key="created" at={transfer.createdAt} />],
    ['Id', <CopyValue key="id" what="id" value={id} />],
  ]
  return <Facts facts={facts} />
}
