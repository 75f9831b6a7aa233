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
import type { PayoutSettings } from './types.ts'

interface Props {
  settings: PayoutSettings
  onSaved: (settings: PayoutSettings) => void
}

/** How long what customers pay beyond the request is held: all members see it, an owner changes it. */
export function ExcessHoldSection({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const notify = useNotify()
  const wanted = settings.nextExcessHold?.excessHoldDays ?? settings.excessHoldDays
  async function send(data: FormData): Promise<void> {
    const coolingOffHours = settings.next?.coolingOffHours ?? settings.coolingOffHours
    const body = { coolingOffHours, excessHoldDays: Number(trimmed(data, 'excessHoldDays')) }
    const saved = await api.call('setPayoutSettings', { path: { businessId: business.id }, body })
    onSaved(saved)
    if (saved.waitingApproval)
      return notify('The shorter time waits for a second owner, and for the cooling-off time.')
    notify(
      saved.nextExcessHold
        ? 'The shorter time applies when the cooling-off time has passed.'
        : 'The time is saved.',
    )
  }
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Overpayments"
      lead={`What a customer pays beyond the request is held for this time, so that you can refund or accept it. Then it is yours. A change is for money that comes later; a shorter time applies when the cooling-off time has passed and a second owner, if there is one, has approved it.${whoChanges}`}
    >
      <Facts facts={factsOf(settings)} />
      {owns && (
        <Form submit="Save time" send={send}>
          <Field
            key={wanted}
            name="excessHoldDays"
            label="Days"
            hint="1 to 365."
            type="number"
            inputMode="numeric"
            min={1}
            max={365}
            step={1}
            required
            defaultValue={wanted}
          />
        </Form>
      )}
    </Section>
  )
}

const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

function factsOf({ excessHoldDays, nextExcessHold: next }: PayoutSettings): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [['Held', inDays(excessHoldDays)]]
  if (next) {
    facts.push([
      'Next',
      <span key="next">
        {inDays(next.excessHoldDays)}, from <Time at={next.from} />
      </span>,
    ])
  }
  return facts
}
