import { Badge } from '../../../ui/Badge.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Section } from '../../../ui/Section.tsx'
import { agoText, queueLabel, redisStates, splitQueues } from './healthLabels.ts'
import { NoAnswer } from './NoAnswer.tsx'
import type { Health, QueueHealth } from './types.ts'

export function QueuesSection({ health: { queues: part, at } }: { health: Health }) {
  if (!part)
    return (
      <Section title="Queues">
        <NoAnswer />
      </Section>
    )
  const { busy, idle } = splitQueues(part.queues)
  const redis = redisStates[part.redis]
  return (
    <Section title="Queues">
      <p>
        <Badge tone={redis.tone}>{redis.label}</Badge>{' '}
        <span className="fine">
          {part.reportedAt ? `Counted ${agoText(part.reportedAt, at)}` : 'Never counted'}
        </span>
      </p>
      {busy.length > 0 && <QueueTable queues={busy} at={at} />}
      {idle.length > 0 && (
        <p className="fine">{`Nothing to do: ${idle.map(({ queue }) => queueLabel(queue).toLowerCase()).join(', ')}.`}</p>
      )}
    </Section>
  )
}

function QueueTable({ queues, at }: { queues: QueueHealth[]; at: string }) {
  const number = (of: (jobs: NonNullable<QueueHealth['jobs']>) => number) => (queue: QueueHealth) =>
    queue.jobs ? of(queue.jobs) : 'No answer'
  return (
    <DataTable
      caption="Queues"
      rows={queues}
      keyOf={({ queue }) => queue}
      columns={[
        { head: 'Queue', cell: ({ queue }) => <span className="strong">{queueLabel(queue)}</span> },
        { head: 'Waiting', whole: true, cell: number(({ waiting }) => waiting) },
        { head: 'Active', whole: true, cell: number(({ active }) => active) },
        { head: 'Delayed', whole: true, cell: number(({ delayed }) => delayed) },
        { head: 'Failed', whole: true, cell: number(({ failed }) => failed) },
        { head: 'Unfinished', whole: true, cell: ({ unfinished }) => unfinished ?? '–' },
        {
          head: 'Oldest',
          whole: true,
          cell: ({ oldestAt }) =>
            oldestAt ? (
              <time dateTime={oldestAt} title={oldestAt}>
                {agoText(oldestAt, at)}
              </time>
            ) : (
              '–'
            ),
        },
        {
          head: 'Dead',
          whole: true,
          cell: ({ dead }) => (dead > 0 ? <Badge tone="bad">{String(dead)}</Badge> : 0),
        },
      ]}
    />
  )
}
