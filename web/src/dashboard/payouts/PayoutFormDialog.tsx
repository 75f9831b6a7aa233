import { useState } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { PricedDraft } from './ConfirmPayoutDialog.tsx'
import { FeePreview } from './FeePreview.tsx'
import { destinationsPath } from './paths.ts'
import { assetOf, draftIn, fittingFirst, type PayoutDraft, sourceChoices, sourceOf } from './payoutForm.ts'
import { describeDestination, statusLabels } from './payoutLabels.ts'
import type { Destination } from './types.ts'

interface Props {
  /** What was entered before. */
  draft: PayoutDraft | undefined
  onClose: () => void
  onPriced: (priced: PricedDraft) => void
}

/** As many as the API lists at once. */
const maxListed = 100

export function PayoutFormDialog({ draft, onClose, onPriced }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  const [chosen, setChosen] = useState(draft && assetOf(draft.source))
  const [to, setTo] = useState(draft?.destinationId)
  const [amount, setAmount] = useState(draft?.amount ?? '')
  const loaded = useLoaded(business.id, async (signal) => {
    const destinationsIn = (status: 'usable' | 'cooling_off') =>
      api.call('listPayoutDestinationsOfBusiness', { path, query: { status, limit: maxListed }, signal })
    const [{ balances }, ...lists] = await Promise.all([
      api.call('listBalancesOfBusiness', { path, signal }),
      destinationsIn('usable'),
      destinationsIn('cooling_off'),
    ])
    return {
      sources: sourceChoices(balances),
      destinations: lists.flatMap(({ destinations }) => destinations),
    }
  })
  async function send(data: FormData, destinations: Destination[]): Promise<void> {
    const given = draftIn(data)
    const destination = destinations.find(({ id }) => id === given.destinationId)
    if (!destination) return
    const { source, amount, destinationId } = given
    const estimate = await api.call('estimatePayout', { path, query: { ...source, amount, destinationId } })
    onPriced({ draft: given, destination, estimate })
  }
  return (
    <Dialog title="Pay out" onClose={onClose}>
      <Loaded of={loaded}>
        {({ sources, destinations }) =>
          sources.length === 0 || destinations.length === 0 ? (
            <Nothing what={sources.length === 0 ? 'money' : 'destination'} onClose={onClose} />
          ) : (
            <Form submit="Continue" send={(data) => send(data, destinations)} onCancel={onClose} focusFirst>
              <Select
                name="source"
                label="From"
                hint={`Available: ${(sources.find(({ value }) => value === chosen) ?? sources[0])?.available}`}
                choices={sources}
                value={chosen ?? sources[0]?.value}
                onChange={(event) => setChosen(event.target.value)}
              />
              <Select
                name="destination"
                label="To"
                choices={fittingFirst(destinations, chosen ?? sources[0]?.value).map((each) => ({
                  value: each.id,
                  label: inALine(each),
                }))}
                value={to ?? fittingFirst(destinations, chosen ?? sources[0]?.value)[0]?.id}
                onChange={(event) => setTo(event.target.value)}
              />
              <Field
                name="amount"
                label="Amount"
                hint="What is taken from your balance, fee included."
                required
                maxLength={60}
                inputMode="decimal"
                autoComplete="off"
                defaultValue={draft?.amount}
                onChange={(event) => setAmount(event.target.value.trim())}
              />
              <FeePreview
                source={sourceOf(chosen ?? sources[0]?.value ?? '')}
                amount={amount}
                destinationId={to ?? fittingFirst(destinations, chosen ?? sources[0]?.value)[0]?.id ?? ''}
              />
              <Field
                name="reference"
                label="Reference"
                hint="For you. May stay empty."
                maxLength={200}
                autoComplete="off"
                defaultValue={draft?.reference}
              />
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function inALine(destination: Destination): string {
  const { name, status } = destination
  const place = name ? `${name} (${describeDestination(destination)})` : describeDestination(destination)
  return status === 'usable' ? place : `${place}, ${statusLabels[status].label.toLowerCase()}`
}

function Nothing({ what, onClose }: { what: 'money' | 'destination'; onClose: () => void }) {
  const { business } = useBusiness()
  return (
    <>
      {what === 'money' ? (
        <Empty title="There is no money to pay out.">
          <p>It is available when a payment is final.</p>
        </Empty>
      ) : (
        <Empty title="There is no destination yet.">
          <p>
            An owner saves one under <Link href={destinationsPath(business.id)}>Payout destinations</Link>.
          </p>
        </Empty>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  )
}
