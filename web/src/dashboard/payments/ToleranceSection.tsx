import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf, trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { acceptedCells, acceptedOf } from './accepted.ts'

interface Props {
  settings: PaymentSettings
  onSaved: (settings: PaymentSettings) => void
}

type Kind = 'none' | 'percent' | 'amount'
const choices = [
  { value: 'none', label: 'Nothing', hint: 'A payment counts only once all of it is there.' },
  { value: 'percent', label: 'A share of the amount' },
  { value: 'amount', label: 'An amount of the token' },
]

/** How much of a payment may be missing: all members see it, an owner changes it. */
export function ToleranceSection({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const { tolerance } = settings
  const [kind, setKind] = useState<Kind>(kindOf(tolerance))
  async function send(data: FormData): Promise<void> {
    const chosen = textOf(data, 'tolerance') as Kind
    const body = {
      localCurrency: settings.localCurrency,
      accepted: settings.acceptsAll ? null : acceptedOf(settings.networks, acceptedCells(settings.networks)),
      tolerance: chosen === 'none' ? null : { [chosen]: trimmed(data, `tolerance.${chosen}`) },
    }
    onSaved(await api.call('setPaymentSettings', { path: { businessId: business.id }, body }))
    notify('The tolerance is saved.')
  }
  return (
    <Section
      title="Small shortfalls"
      lead="Wallets and exchanges sometimes send a little less than was asked for. Within this tolerance a payment is paid all the same, you get what came, and what is missing is named. It applies to payments that start from now on, and never to more than a tenth of one."
    >
      {owns ? (
        <Form submit="Save tolerance" send={send}>
          <Choices
            name="tolerance"
            legend="What may be missing"
            chosen={kind}
            onChoose={(value) => setKind(value as Kind)}
            choices={choices}
          />
          {kind === 'percent' && (
            <Field
              name="tolerance.percent"
              label="Percent"
              hint="At most 10, as 0.5."
              inputMode="decimal"
              autoComplete="off"
              maxLength={5}
              required
              defaultValue={tolerance?.percent ?? ''}
            />
          )}
          {kind === 'amount' && (
            <Field
              name="tolerance.amount"
              label="Amount"
              hint="In USDC or USDT, as 0.25."
              inputMode="decimal"
              autoComplete="off"
              maxLength={13}
              required
              defaultValue={tolerance?.amount ?? ''}
            />
          )}
        </Form>
      ) : (
        <Facts facts={[['May be missing', inWords(tolerance)]]} />
      )}
    </Section>
  )
}

function kindOf(tolerance: PaymentSettings['tolerance']): Kind {
  if (tolerance === null) return 'none'
  return tolerance.percent === undefined ? 'amount' : 'percent'
}

function inWords(tolerance: PaymentSettings['tolerance']): string {
  if (tolerance === null) return 'Nothing'
  return tolerance.percent === undefined ? `${tolerance.amount} USDC or USDT` : `${tolerance.percent} %`
}
