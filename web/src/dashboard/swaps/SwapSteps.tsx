import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { swapStatusLabels, swapStepNames } from './swapLabels.ts'
import type { Swap } from './types.ts'

/** The transactions of a swap in the order in which they are sent. */
export function SwapSteps({ swap: { steps } }: { swap: Swap }) {
  return (
    <DataTable
      caption="Transactions"
      rows={steps}
      keyOf={({ type }) => type}
      columns={[
        { head: 'Step', cell: ({ type }) => swapStepNames[type] },
        {
          head: 'State',
          cell: ({ status }) => (
            <Badge tone={swapStatusLabels[status].tone}>{swapStatusLabels[status].label}</Badge>
          ),
        },
        { head: 'Transaction', cell: ({ txHash }) => (txHash === null ? 'Not sent' : <code>{txHash}</code>) },
      ]}
    />
  )
}
