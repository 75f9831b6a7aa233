import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../../ui/Notices.tsx'
import { useApi } from '../../session/session.ts'
import { queueLabel } from './healthLabels.ts'
import type { DeadJob } from './types.ts'

interface Props {
  /** One job, or all of a queue. */
  of: DeadJob | { queue: string; dead: number }
  onClose: () => void
  onReplayed: () => void
}

export function ReplayDialog({ of, onClose, onReplayed }: Props) {
  const api = useApi()
  const notify = useNotify()
  const name = queueLabel(of.queue).toLowerCase()
  async function replay(): Promise<void> {
    const { jobs } =
      'id' in of
        ? await api.call('replayDeadJob', { path: { jobId: of.id } })
        : await api.call('replayDeadJobs', { body: { queue: of.queue } })
    onClose()
    onReplayed()
    notify(jobs === 1 ? '1 job is tried again.' : `${jobs} jobs are tried again.`)
  }
  const shared = { danger: false, act: replay, onClose }
  const note = <> If the cause is still there, it is given up again. The audit log has who did it.</>
  if ('id' in of)
    return (
      <ConfirmDialog title="Replay this job?" confirm="Replay job" {...shared}>
        <p>
          {`Job ${of.id} of ${name} gets all its tries again.`}
          {note}
        </p>
        <Additions queue={of.queue} />
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog title={`Replay all dead jobs of ${name}?`} confirm="Replay all" {...shared}>
      <p>
        {`${of.dead === 1 ? '1 job gets' : `${of.dead} jobs get`} all tries again.`}
        {note}
      </p>
      <Additions queue={of.queue} />
    </ConfirmDialog>
  )
}

const Additions = ({ queue }: { queue: string }) =>
  queue === 'additions' && (
    <p>Additions that were already reported as failed stay failed: their businesses send them again.</p>
  )
