import { type Happening, Timeline } from '../../ui/Timeline.tsx'
import { reasonWords } from '../payouts/reasonWords.ts'
import { chainLabel } from '../words.ts'
import { exceptionWords, timelineWords } from './sessionWords.ts'
import type { TimelineEntry } from './types.ts'

export function SessionTimeline({ entries }: { entries: TimelineEntry[] }) {
  return <Timeline label="What happened" happenings={entries.map(happeningOf)} />
}

function happeningOf({ kind, at, amount, token, chain, txId, exception, reason }: TimelineEntry): Happening {
  const facts = [
    amount !== null && `${amount} ${token}${chain === null ? '' : ` on ${chainLabel(chain)}`}`,
    exception !== null && exceptionWords[exception],
    reason !== null && reasonWords(reason),
  ].filter((each) => each !== false)
  const { label, tone } = timelineWords[kind]
  return {
    at,
    title: label,
    tone,
    detail:
      facts.length > 0 || txId ? (
        <>
          {facts.join('. ')}
          {txId && (
            <>
              {' '}
              in <code>{txId}</code>
            </>
          )}
        </>
      ) : undefined,
  }
}
