import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AutopayoutTable } from './AutopayoutTable.tsx'
import { type Autopayout, atRows, autopayoutIn, autopayoutRows } from './autopayout.ts'
import { destinationsPath } from './paths.ts'
import type { Destination } from './types.ts'

interface Props {
  settings: Autopayout
  destinations: Destination[]
  onSaved: (settings: Autopayout) => void
}

/**
 * A table of tokens, each with its switch and its destination: for an owner to change, for others to read.
 */
export function AutopayoutForm({ settings, destinations, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const rows = autopayoutRows(settings)

  async function send(data: FormData): Promise<void> {
    const body = { payouts: autopayoutIn(rows, data) }
    const saved = await api
      .call('setAutopayout', { path: { businessId: business.id }, body })
      .catch((error: unknown) => {
        throw atRows(error, rows)
      })
    onSaved(saved)
    notify(
      saved.waitingApproval
        ? 'New targets wait for a second owner. The rest is saved.'
        : 'The autopayout settings are saved.',
    )
  }

  if (rows.length === 0) return <Empty title="This platform offers no network." />
  const usable = destinations.some(({ status }) => status !== 'archived')
  if (!usable && rows.every(({ enabled }) => !enabled)) {
    return (
      <Empty title="There is no destination yet.">
        <p>
          Autopayout needs one. An owner saves it under{' '}
          <Link href={destinationsPath(business.id)}>Payout destinations</Link>.
        </p>
      </Empty>
    )
  }
  const table = <AutopayoutTable settings={settings} rows={rows} destinations={destinations} changes={owns} />
  if (!owns) return table
  return (
    <Form key={JSON.stringify(settings)} submit="Save autopayout" send={send}>
      {table}
    </Form>
  )
}
