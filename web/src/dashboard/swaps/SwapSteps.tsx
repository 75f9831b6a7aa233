import { DataTable } from '../../ui/DataTable.tsx'
import type { Swap } from './types.ts'

/** The transactions of a swap in the order in which they are sent. */
export function SwapSteps({ swap: { approvalTxHash, txHash } }: { swap: Swap }) {
  const steps = [...(approvalTxHash === null ? [] : [{ name: 'Approval', hash: approvalTxHash }]), { name: 'Swap', hash: txHash }]
  return (
    <DataTable
      caption="Transactions"
      rows={steps}
      keyOf={({ name }) => name}
      columns={[
        { head: 'Step', cell: ({ name }) => name },
        { head: 'Transaction', cell: ({ hash }) => (hash === null ? 'Not sent' : <code>{hash}</code>) },
      ]}
    />
  )
}
