import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { chainChoices } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { stakeTypeLabels } from '../staking/stakeLabels.ts'
import { PlanFields } from './PlanFields.tsx'
import { readPlan } from './planForm.ts'

const typeChoices = Object.entries(stakeTypeLabels).map(([value, label]) => ({ value, label }))
const typeHint = 'Native: SOL on Solana, which the chain holds for its owner; without a lock and a penalty.'

interface Props {
  onClose: () => void
  onSaved: () => void
}

export function CreatePlanDialog({ onClose, onSaved }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    await api.call('createStakingPlan', { body: readPlan(data) })
    onSaved()
    onClose()
    notify('The plan takes stakes from now on.')
  }
  return (
    <Dialog title="Create a staking plan" onClose={onClose}>
      <Form submit="Create" send={send} onCancel={onClose} focusFirst>
        <Select name="chain" label="Network" choices={chainChoices} />
        <Field
          name="token"
          label="Token"
          hint="A symbol, such as USDC."
          required
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
        />
        <Select name="type" label="Type" hint={typeHint} choices={typeChoices} />
        <PlanFields />
      </Form>
    </Dialog>
  )
}
