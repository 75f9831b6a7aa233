import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { currencyChoices } from '../../ui/currencies.ts'
import { Facts } from '../../ui/Facts.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { acceptedCells, acceptedOf } from './accepted.ts'
import { NetworkTable } from './NetworkTable.tsx'

interface Props {
  settings: PaymentSettings
  onSaved: (settings: PaymentSettings) => void
}

/** Networks, tokens and the currency of prices: for an owner to change, for others to read. */
export function AcceptedForm({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const [all, setAll] = useState(settings.acceptsAll)
  const [cells, setCells] = useState<ReadonlySet<string>>(acceptedCells(settings.networks))

  function toggle(cell: string): void {
    const next = new Set(cells)
    if (!next.delete(cell)) next.add(cell)
    setCells(next)
  }

  async function send(data: FormData): Promise<void> {
    const accepted = all ? null : acceptedOf(settings.networks, cells)
    if (accepted?.length === 0)
      throw new FieldProblem({ accepts: 'Choose at least one token, or accept everything.' })
    const body = { localCurrency: textOf(data, 'localCurrency') || null, accepted }
    onSaved(await api.call('setPaymentSettings', { path: { businessId: business.id }, body }))
    notify('The payment settings are saved.')
  }

  const table = (
    <NetworkTable networks={settings.networks} cells={cells} disabled={!owns || all} onToggle={toggle} />
  )
  if (!owns) {
    return (
      <>
        <Facts
          facts={[
            ['Local currency', settings.localCurrency ?? 'None'],
            [
              'Networks and tokens',
              settings.acceptsAll ? 'Everything this platform offers' : 'Those ticked below',
            ],
          ]}
        />
        {table}
      </>
    )
  }
  return (
    <Form submit="Save payments" send={send}>
      <Select
        name="localCurrency"
        label="Local currency"
        hint="The currency of your prices, if a payment names no other."
        defaultValue={settings.localCurrency ?? ''}
        choices={currencyChoices(settings.localCurrency)}
      />
      <Choices
        name="accepts"
        legend="Networks and tokens"
        chosen={all ? 'all' : 'some'}
        onChoose={(value) => setAll(value === 'all')}
        choices={[
          { value: 'all', label: 'Accept everything', hint: 'All that this platform offers, now and later.' },
          { value: 'some', label: 'Accept only what I tick' },
        ]}
      />
      {table}
    </Form>
  )
}
