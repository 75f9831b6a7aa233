import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useApi } from '../session/session.ts'
import type { Plan } from '../staking/types.ts'

interface Props {
  plan: Plan
  onClose: () => void
  onSaved: () => void
}

export function StopPlanDialog({ plan, onClose, onSaved }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function stop(): Promise<void> {
    await api.call('stopStakingPlan', { path: { planId: plan.id } })
    onSaved()
    onClose()
    notify('The plan is stopped.')
  }
  return (
    <ConfirmDialog title="Stop the staking plan?" confirm="Stop plan" act={stop} onClose={onClose}>
      <p>
        <strong>{plan.name}</strong> takes no new stakes, for good. Stakes that it has go on, and keep
        earning.
      </p>
    </ConfirmDialog>
  )
}
