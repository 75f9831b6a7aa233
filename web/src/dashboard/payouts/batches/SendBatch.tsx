import { Facts } from '../../../ui/Facts.tsx'
import { Form } from '../../../ui/Form.tsx'
import { useNotify } from '../../../ui/Notices.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useBusiness } from '../../business/business.ts'
import { type createFormKeys, unansweredText } from '../../formKeys.ts'
import { useApi } from '../../session/session.ts'
import type { Entry } from './batchCsv.ts'
import { type Batch, type Check, feeTexts, inPayouts, receivedTexts, takenTexts } from './batchLabels.ts'
import { EntryTable } from './EntryTable.tsx'
import { Lines } from './Lines.tsx'

interface Props {
  entries: Entry[]
  reference: string
  check: Check
  /** Outlives this form: what was sent keeps its key when it is checked once more. */
  keyOf: ReturnType<typeof createFormKeys>
  onCreated: (batch: Batch) => void
}

/** The whole of a checked file, and the button that sends it. */
export function SendBatch({ entries, reference, check, keyOf, onCreated }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function send(): Promise<void> {
    const body = {
      payouts: entries.map(({ payout }) => payout),
      ...(reference !== '' && { reference }),
    }
    const batch = await api
      .call('createPayoutBatchOfBusiness', {
        path: { businessId: business.id },
        body,
        idempotencyKey: keyOf(body),
      })
      .catch((error: unknown) => {
        throw unansweredText(error, 'batch')
      })
    onCreated(batch)
    notify(
      batch.status === 'awaiting_approval'
        ? 'The batch is created. A second owner has to approve it.'
        : 'The batch is created.',
    )
  }
  const { totals, destinations, newDestinations, needsApproval } = check
  return (
    <Section title="Pay this out?">
      <Facts
        facts={[
          ['Payouts', check.payouts],
          [
            'Destinations',
            newDestinations > 0 ? `${destinations}, ${newDestinations} of them new` : destinations,
          ],
          ['Taken', <Lines key="taken" of={takenTexts(totals)} />],
          ['Fees', <Lines key="fees" of={feeTexts(totals)} />],
          ['Arrives', <Lines key="received" of={receivedTexts(totals)} />],
        ]}
      />
      <EntryTable entries={entries} />
      {needsApproval && <p>It waits until a second owner approves it: one decision for all.</p>}
      {newDestinations > 0 && <p>Payouts to a new destination wait until its cooling-off time is over.</p>}
      <p className="fine">Rates are fixed when you confirm. They may have moved a little by then.</p>
      <Form submit={`Pay ${inPayouts(check.payouts)}`} send={send} />
    </Section>
  )
}
