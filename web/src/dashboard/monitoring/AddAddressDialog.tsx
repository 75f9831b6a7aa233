import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { textOf, trimmed } from '../formData.ts'
import { chainLabel } from '../labels.ts'
import type { Chain } from '../payments/accepted.ts'
import { useApi } from '../session/session.ts'
import { MonitoredFields } from './MonitoredFields.tsx'
import { readFromBlock, readMetadata, readTokens, sameJson } from './monitoringForm.ts'

interface Props {
  onClose: () => void
  onAdded: () => void
}

export function AddAddressDialog({ onClose, onAdded }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const path = { businessId: business.id }
  const settings = useLoaded(business.id, (signal) => api.call('getPaymentSettings', { path, signal }))
  async function send(data: FormData): Promise<void> {
    const metadata = readMetadata(textOf(data, 'metadata'))
    const tokens = readTokens(textOf(data, 'tokens'))
    const fromBlock = readFromBlock(data)
    const body = {
      chain: textOf(data, 'chain') as Chain,
      address: trimmed(data, 'address'),
      tokens,
      ...(metadata ? { metadata } : {}),
      ...(fromBlock === undefined ? {} : { fromBlock }),
    }
    const entry = await api.call('monitorAddressOfBusiness', { path, body })
    const asWanted = entry.tokens === tokens && sameJson(entry.metadata, metadata)
    notify(
      asWanted
        ? 'The address is monitored.'
        : 'The address was already monitored, and its entry stays as it was. Change it in the list.',
    )
    onAdded()
    onClose()
  }
  return (
    <Dialog title="Monitor an address" onClose={onClose}>
      <Loaded of={settings}>
        {({ networks }) => (
          <Form submit="Monitor address" send={send} onCancel={onClose} focusFirst>
            <Select
              name="chain"
              label="Network"
              choices={networks.map(({ chain }) => ({ value: chain, label: chainLabel(chain) }))}
            />
            <Field
              name="address"
              label="Address"
              hint="In any form of the network. Every movement to or from it is reported."
              required
              maxLength={120}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <MonitoredFields />
            <Field
              name="fromBlock"
              label="From block"
              hint="Also reads the blocks since this height again. Empty: from the next block on."
              type="number"
              inputMode="numeric"
              min={0}
              max={1000000000000}
              step={1}
            />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
