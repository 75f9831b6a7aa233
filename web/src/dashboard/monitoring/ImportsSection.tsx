import { useEffect } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel, importLabels } from '../labels.ts'
import type { MonitoringImport } from './types.ts'

const everyMs = 3000
const isUnderWay = ({ status }: Pick<MonitoringImport, 'status'>) =>
  status === 'pending' || status === 'running'

interface Props {
  imports: MonitoringImport[]
  reload: () => void
}

/**
 * Imports: blocks that are read again for addresses added with a start block. Polls while one is running;
 * hidden if there are no imports.
 */
export function ImportsSection({ imports, reload }: Props) {
  const underWay = imports.some(isUnderWay)
  useEffect(() => {
    if (!underWay) return
    const timer = setInterval(reload, everyMs)
    return () => clearInterval(timer)
  }, [underWay, reload])
  if (imports.length === 0) return null
  return (
    <Section
      title="Imports"
      lead="Blocks that are read again for addresses with a start block. Only the latest are shown."
    >
      <DataTable
        caption="Imports"
        rows={imports}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Blocks',
            cell: ({ chain, fromBlock, toBlock }) => (
              <>
                <span>
                  {fromBlock.toLocaleString()} to {toBlock.toLocaleString()}
                </span>
                <span className="fine">{chainLabel(chain)}</span>
              </>
            ),
          },
          { head: 'Addresses', cell: ({ addresses }) => addresses.toLocaleString() },
          { head: 'Progress', cell: (each) => <Progress of={each} /> },
          { head: 'Found', cell: ({ found }) => found.toLocaleString() },
          { head: 'Asked for', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  )
}

function Progress({ of: { status, progress, lastError, fromBlock, toBlock } }: { of: MonitoringImport }) {
  const percent = Math.floor(progress * 100)
  return (
    <>
      <Badge tone={importLabels[status].tone}>{importLabels[status].label}</Badge>
      {isUnderWay({ status }) && (
        <span className="fine">
          <progress max={100} value={percent} aria-label={`Blocks ${fromBlock} to ${toBlock}`} /> {percent} %
        </span>
      )}
      {lastError && (
        <span className="fine">
          {isUnderWay({ status }) ? `It will be retried: ${lastError}` : lastError}
        </span>
      )}
    </>
  )
}
