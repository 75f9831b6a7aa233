import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { BridgeFacts } from './BridgeFacts.tsx'
import { bridgesPath } from './paths.ts'
import type { BridgeTransfer } from './types.ts'

/** One bridge transfer: its state, its costs and its transactions. */
export function BridgePage({ transferId }: { transferId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id, id: transferId }
  const loaded = useLoaded(`${business.id} ${transferId}`, (signal) =>
    api.call('getBridgeTransferOfBusiness', { path, signal }),
  )
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const isOpen = present?.status === 'pending' || present?.status === 'in_progress'
  return (
    <Page
      title={
        present
          ? `Bridge of ${present.amount} USDC to ${chainLabel(present.destinationChain)}`
          : 'Bridge transfer'
      }
      tab={`Bridge transfer · ${business.name}`}
      lead={<Link href={bridgesPath(business.id)}>All bridge transfers</Link>}
      actions={
        isOpen && (
          <button type="button" className="button" onClick={() => void loaded.reload()}>
            Refresh
          </button>
        )
      }
    >
      <Loaded of={loaded}>
        {(transfer) => (
          <>
            <BridgeFacts transfer={transfer} />
            <Section title="Transactions">
              <Transactions transfer={transfer} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Transactions({
  transfer: { sourceChain, destinationChain, sourceTxHash, destinationTxHash },
}: {
  transfer: BridgeTransfer
}) {
  return (
    <DataTable
      caption="Transactions"
      rows={[
        { name: 'Burn', chain: sourceChain, hash: sourceTxHash },
        { name: 'Mint', chain: destinationChain, hash: destinationTxHash },
      ]}
      keyOf={({ name }) => name}
      columns={[
        { head: 'Step', cell: ({ name, chain }) => `${name} on ${chainLabel(chain)}` },
        { head: 'Transaction', cell: ({ hash }) => (hash === null ? 'Not confirmed' : <code>{hash}</code>) },
      ]}
    />
  )
}
