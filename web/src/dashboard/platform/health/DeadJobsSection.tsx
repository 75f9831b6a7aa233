import { useState } from 'react'
import { Link } from 'wouter'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { useApi } from '../../session/session.ts'
import { queueLabel } from './healthLabels.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import type { DeadJob } from './types.ts'

interface Props {
  /** Dead jobs of each queue that has some. */
  counts: { queue: string; dead: number }[]
  onReplayed: () => void
}

/** Jobs that were given up: why, and to try them again. */
export function DeadJobsSection({ counts, onReplayed }: Props) {
  const api = useApi()
  const [open, setOpen] = useState<DeadJob | { queue: string; dead: number }>()
  const jobs = useLoaded(JSON.stringify(counts), (signal) =>
    api.call('listDeadJobs', { query: { limit: 50 }, signal }),
  )
  return (
    <Section
      title="Dead jobs"
      lead="Given up after all their tries. Repair the cause first, then replay them: what a job has done already is not done twice."
    >
      <Loaded of={jobs}>
        {({ jobs: rows, total }) =>
          rows.length === 0 ? (
            <p>There is none.</p>
          ) : (
            <>
              <div className="form-actions">
                {counts.map((each) => (
                  <button
                    key={each.queue}
                    type="button"
                    className="button"
                    onClick={() => setOpen(each)}
                  >{`Replay all of ${queueLabel(each.queue).toLowerCase()} (${each.dead})`}</button>
                ))}
              </div>
              <JobTable jobs={rows} onReplay={setOpen} />
              {total > rows.length && <p className="fine">{`The oldest ${rows.length} of ${total}.`}</p>}
            </>
          )
        }
      </Loaded>
      {open && (
        <ReplayDialog
          of={open}
          onClose={() => setOpen(undefined)}
          onReplayed={() => {
            jobs.reload()
            onReplayed()
          }}
        />
      )}
    </Section>
  )
}

function JobTable({ jobs, onReplay }: { jobs: DeadJob[]; onReplay: (job: DeadJob) => void }) {
  return (
    <DataTable
      caption="Dead jobs"
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Job',
          cell: ({ id, queue }) => (
            <>
              <span className="strong">{queueLabel(queue)}</span>
              <span className="fine">{id}</span>
            </>
          ),
        },
        { head: 'About', cell: ({ subject }) => <Subject of={subject} /> },
        { head: 'Reason', cell: ({ reason }) => <span className="reason">{reason ?? 'Not known'}</span> },
        {
          head: 'Given up',
          cell: ({ deadAt, createdAt }) => (
            <>
              <Time at={deadAt} />
              <span className="fine">
                Made <Time at={createdAt} />
              </span>
            </>
          ),
        },
        {
          head: 'Actions',
          actions: true,
          cell: (job) => (
            <button
              type="button"
              className="button"
              aria-label={`Replay job ${job.id}`}
              onClick={() => onReplay(job)}
            >
              Replay
            </button>
          ),
        },
      ]}
    />
  )
}

function Subject({ of }: { of: DeadJob['subject'] }) {
  if (!of) return 'Not known'
  return (
    <>
      <span>{queueLabel(of.kind.replace(/([A-Z])/g, ' $1').toLowerCase())}</span>
      <code className="fine">{of.id}</code>
      {of.businessId && (
        <Link className="fine" href={`/platform/businesses/${encodeURIComponent(of.businessId)}`}>
          {of.businessName ?? of.businessId}
        </Link>
      )}
    </>
  )
}
