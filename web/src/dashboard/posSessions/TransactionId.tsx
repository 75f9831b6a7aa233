import { CopyValue } from './CopyValue.tsx'
import { type Explorers, explorerUrl } from './useExplorers.ts'

interface Props {
  chain: string
  txId: string
  explorers: Explorers
}

/** A transaction's id, to copy, with a link to a block explorer where the network has one. */
export const TransactionId = ({ chain, txId, explorers }: Props) => (
  <CopyValue what="transaction" value={txId} href={explorerUrl(explorers, chain, 'transaction', txId)} />
)
