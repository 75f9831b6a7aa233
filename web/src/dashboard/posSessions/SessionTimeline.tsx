import { type Happening, Timeline } from '../../ui/Timeline.tsx'
import { chainLabel } from '../labels.ts'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { exceptionLabels, timelineLabels } from './sessionLabels.ts'
import type { TimelineEntry } from './types.ts'

export function SessionTimeline({ entries }: { entries: TimelineEntry[] }) {
  return <Timeline label="What happened" happenings={entries.map(happeningOf)} />
}

function happeningOf(entry: TimelineEntry): Happening {
  const { label, tone } = timelineLabels[entry.kind]
  const { amount, exception, reason } = entry
  const isBare = amount === null && exception === null && reason === null
  return { at: entry.at, title: label, tone, detail: isBare ? undefined : <Detail entry={entry} /> }
}

function Detail({ entry: { amount, token, chain, txId, exception, reason } }: { entry: TimelineEntry }) {
  return (
    <>
      {amount !== null && `${amount} ${token}`}
      {chain !== null && ` on ${chainLabel(chain)}`}
      {txId !== null && (
        <>
          {' in '}
          <code>{txId}</code>
        </>
      )}
      {exception !== null && <span className="line">{exceptionLabels[exception]}</span>}
      {reason !== null && <span className="line">{reasonLabels(reason)}</span>}
    </>
  )
}
