import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useApi } from '../session/session.ts'
import type { Plan } from '../staking/types.ts'
import { PlanFields } from './PlanFields.tsx'
import { readTerms } from './planForm.ts'

interface Props {
  plan: Plan
  onClose: () => void
  onSaved: () => Promise<void>
}

export function ChangePlanDialog({ plan, onClose, onSaved }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    await api.call('changeStakingPlan', { path: { planId: plan.id }, body: readTerms(data) })
    // All terms are sent: who opens this again at once must find those of now.
    await onSaved()
    onClose()
    notify('The plan is changed, for stakes from now on.')
  }
  return (
    <Dialog title="Change the staking plan" onClose={onClose}>
      <Form submit="Save" send={send} onCancel={onClose} focusFirst>
        <p>Stakes that were made before keep their terms.</p>
        <PlanFields plan={plan} />
      </Form>
    </Dialog>
  )
}
