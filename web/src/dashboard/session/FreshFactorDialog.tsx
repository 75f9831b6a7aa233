import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { FactorField, withFactor } from '../account/FactorField.tsx'
import { useApi } from './session.ts'

/** Requests the second factor again, for a call that needs it from the last minutes. */
export function FreshFactorDialog({ onDone }: { onDone: (given: boolean) => void }) {
  const api = useApi()
  async function send(data: FormData): Promise<void> {
    await withFactor(api, data, (given) => api.call('confirmFactor', { body: given }))
    onDone(true)
  }
  return (
    <Dialog title="Confirm that it is you" onClose={() => onDone(false)}>
      <Form submit="Confirm" send={send} focusFirst onCancel={() => onDone(false)}>
        <p>This needs your second factor from the last five minutes.</p>
        <FactorField />
      </Form>
    </Dialog>
  )
}
