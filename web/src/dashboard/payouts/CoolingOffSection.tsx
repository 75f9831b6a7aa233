import type { ReactNode } from 'react'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { inHours } from './payoutLabels.ts'
import type { PayoutSettings } from './types.ts'

interface Props {
  settings: PayoutSettings
  onSaved: (settings: PayoutSettings) => void
}

/** The cooling-off time of new destinations: all members see it, an owner changes it. */
export function CoolingOffSection({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const notify = useNotify()
  const wanted = settings.next?.coolingOffHours ?? settings.coolingOffHours
  async function send(data: FormData): Promise<void> {
    const coolingOffHours = Number(trimmed(data, 'coolingOffHours'))
    const saved = await api.call('setPayoutSettings', {
      path: { businessId: business.id },
      body: { coolingOffHours },
    })
    onSaved(saved)
    if (saved.waitingApproval)
      return notify('The shorter time waits for a second owner, and for the present one to pass.')
    notify(
      saved.next
        ? 'The shorter time applies when the present one has passed.'
        : 'The cooling-off time is saved.',
    )
  }
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Cooling-off"
      lead={`A new destination can be used after this time, so that you can notice one that is not yours. A shorter time applies only when the present one has passed.${whoChanges}`}
    >
      <Facts facts={factsOf(settings)} />
      {owns && (
        <Form submit="Save cooling-off time" send={send}>
          <Field
            key={wanted}
            name="coolingOffHours"
            label="Hours"
            hint="0 to 720. 0: destinations can be used at once."
            type="number"
            inputMode="numeric"
            min={0}
            max={720}
            step={1}
            required
            defaultValue={wanted}
          />
        </Form>
      )}
    </Section>
  )
}

function factsOf({ coolingOffHours, next }: PayoutSettings): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [['Now', inHours(coolingOffHours)]]
  if (next) {
    facts.push([
      'Next',
      <span key="next">
        {inHours(next.coolingOffHours)}, from <Time at={next.from} />
      </span>,
    ])
  }
  return facts
}
