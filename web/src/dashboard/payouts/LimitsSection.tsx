import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { type LimitName, limitLabels, limitNames, limitsIn, requestedLimit } from './payoutLimits.ts'
import type { PayoutSettings } from './types.ts'

interface Props {
  settings: PayoutSettings
  onSaved: (settings: PayoutSettings) => void
}

/**
 * Limits of payouts and refunds, and the amount above which a second owner approves: all members see them, an
 * owner changes them.
 */
export function LimitsSection({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const saved = await api.call('setPayoutSettings', {
      path: { businessId: business.id },
      body: limitsIn(settings, data),
    })
    onSaved(saved)
    if (saved.waitingApproval)
      return notify('Higher limits wait for a second owner, and for the cooling-off time.')
    const waits = limitNames.some((name) => saved.nextLimits[name] !== null)
    notify(waits ? 'Higher limits apply when the cooling-off time has passed.' : 'The limits are saved.')
  }
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Limits"
      lead={`In US dollars; a USDC or USDT counts as one. A lower limit applies at once, a higher one when the cooling-off time has passed and a second owner, if there is one, has approved it.${whoChanges}`}
    >
      <Facts
        facts={limitNames.map((name) => [
          limitLabels[name].label,
          <Limit key={name} settings={settings} name={name} />,
        ])}
      />
      {owns && (
        <Form key={JSON.stringify(settings)} submit="Save limits" send={send}>
          {limitNames.map((name) => (
            <Field
              key={name}
              name={name}
              label={limitLabels[name].label}
              hint={limitLabels[name].hint}
              inputMode="decimal"
              maxLength={30}
              autoComplete="off"
              defaultValue={requestedLimit(settings, name) ?? ''}
            />
          ))}
        </Form>
      )}
    </Section>
  )
}

const inDollars = (value: string | null): string => (value === null ? 'No limit' : `${value} USD`)

function Limit({ settings, name }: { settings: PayoutSettings; name: LimitName }) {
  const next = settings.nextLimits[name]
  return (
    <>
      {inDollars(settings[name])}
      {next && (
        <span className="fine">
          {inDollars(next.value)} from <Time at={next.from} />
        </span>
      )}
    </>
  )
}
