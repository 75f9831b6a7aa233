import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useApi } from '../session/session.ts'
import type { DefaultCaps, OperatedBusiness } from '../types.ts'
import { capLabels, capNames, maxCap, readCaps } from './capsForm.ts'

interface Props {
  business: OperatedBusiness
  onSaved: (business: OperatedBusiness) => void
}

/** Limits of a business: how much it may have, or do in a day. */
export function CapsSection(props: Props) {
  const api = useApi()
  const defaults = useLoaded('caps', (signal) => api.call('getDefaultCaps', { signal }))
  return (
    <Section
      title="Caps"
      lead="How much the business may have, or do in 24 hours. It keeps what it already has above a cap, but can add no more."
    >
      <Loaded of={defaults}>{(value) => <CapsForm {...props} defaults={value} />}</Loaded>
    </Section>
  )
}

function CapsForm({ business, defaults, onSaved }: Props & { defaults: DefaultCaps }) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const changes = readCaps(data, business.caps)
    if (Object.keys(changes).length === 0) return notify('No cap was changed.')
    onSaved(await api.call('setCaps', { path: { businessId: business.id }, body: changes }))
    notify('The caps are saved. They apply from now on.')
  }
  return (
    <Form submit="Save caps" send={send}>
      {capNames.map((name) => (
        <Field
          key={name}
          name={name}
          label={capLabels[name].label}
          hint={`${capLabels[name].counts} Empty: the default, ${defaults[name].toLocaleString()}.`}
          type="number"
          inputMode="numeric"
          min={0}
          max={maxCap}
          step={1}
          placeholder={String(defaults[name])}
          defaultValue={business.caps[name] ?? undefined}
          autoComplete="off"
        />
      ))}
    </Form>
  )
}
