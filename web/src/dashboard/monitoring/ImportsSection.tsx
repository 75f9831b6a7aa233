import { useEffect } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel, importWords } from '../words.ts'
import type { MonitoringImport } from './types.ts'

const everyMs = 3000
const isUnderWay = ({ status }: Pick<MonitoringImport, 'status'>) => status === 'pending' || status === 'running'

interface Props {
  imports: MonitoringImport[]
  reload: () => void
}

/** Blocks that are read again for addresses that were added with a block. Looks again while one is under way; nothing where there is none. */
export function ImportsSection({ imports, reload }: Props) {
  const underWay = imports.some(isUnderWay)
  useEffect(() => {
    if (!underWay) return
    const timer = setInterval(reload, everyMs)
    return () => clearInterval(timer)
  }, [underWay, reload])
  if (imports.length === 0) return null
  return (
    <Section title="Imports" lead="Blocks that are read again for addresses that were added with a block to begin at. The latest of them.">
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
      <Badge tone={importWords[status].tone}>{importWords[status].label}</Badge>
      {isUnderWay({ status }) && (
        <span className="fine">
          <progress max={100} value={percent} aria-label={`Blocks ${fromBlock} to ${toBlock}`} /> {percent} %
        </span>
      )}
      {lastError && <span className="fine">{isUnderWay({ status }) ? `It is tried again: ${lastError}` : lastError}</span>}
    </>
  )
}
