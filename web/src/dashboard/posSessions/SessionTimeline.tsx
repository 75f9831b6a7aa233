import { type Happening, Timeline } from '../../ui/Timeline.tsx'
import { chainLabel } from '../labels.ts'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { exceptionLabels, timelineLabels } from './sessionLabels.ts'
import type { TimelineEntry } from './types.ts'
import { type Explorers, explorerUrl } from './useExplorers.ts'

interface Props {
  entries: TimelineEntry[]
  explorers: Explorers
}

export function SessionTimeline({ entries, explorers }: Props) {
  return <Timeline label="What happened" happenings={entries.map((entry) => happeningOf(entry, explorers))} />
}

function happeningOf(entry: TimelineEntry, explorers: Explorers): Happening {
  const { label, tone } = timelineLabels[entry.kind]
  const { amount, exception, reason } = entry
  const isBare = amount === null && exception === null && reason === null
  return {
    at: entry.at,
    title: label,
    tone,
    detail: isBare ? undefined : <Detail entry={entry} explorers={explorers} />,
  }
}

function Detail({ entry, explorers }: { entry: TimelineEntry; explorers: Explorers }) {
  const { amount, token, chain, txId, exception, reason } = entry
  const url = chain && txId ? explorerUrl(explorers, chain, 'transaction', txId) : undefined
  return (
    <>
      {amount !== null && `${amount} ${token}`}
      {chain !== null && ` on ${chainLabel(chain)}`}
      {txId !== null && (
        <>
          {' in '}
          {url ? (
            <a href={url} target="_blank" rel="noreferrer">
              <code>{txId}</code>
            </a>
          ) : (
            <code>{txId}</code>
          )}
        </>
      )}
      {exception !== null && <span className="line">{exceptionLabels[exception]}</span>}
      {reason !== null && <span className="line">{reasonLabels(reason)}</span>}
    </>
  )
}
