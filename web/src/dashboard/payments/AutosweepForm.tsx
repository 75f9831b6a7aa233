import { Empty } from '../../ui/Empty.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { chainNames } from './accepted.ts'
import { type Autosweep, atRows, type SweepRow, sweepRows, sweepsIn } from './autosweep.ts'
import { ThresholdField } from './ThresholdField.tsx'

interface Props {
  settings: Autosweep
  onSaved: (settings: Autosweep) => void
}

/** A table of tokens, each with its switch and its threshold: for an owner to change, for others to read. */
export function AutosweepForm({ settings, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const rows = sweepRows(settings)
  const direct = settings.networks
    .filter(({ collection }) => collection === 'direct')
    .map(({ chain }) => chainNames[chain])

  async function send(data: FormData): Promise<void> {
    const sweeps = sweepsIn(rows, data)
    const saved = await api
      .call('setAutosweep', { path: { businessId: business.id }, body: { sweeps } })
      .catch((error: unknown) => {
        throw atRows(error, rows)
      })
    onSaved(saved)
    notify('The autosweep settings are saved.')
  }

  const note = direct.length > 0 && (
    <p className="fine">{`${direct.join(', ')}: payments arrive in the treasury, so nothing is swept.`}</p>
  )
  if (rows.length === 0) return note || <Empty title="This platform offers no network that is swept." />
  if (!owns) {
    return (
      <>
        <SweepTable rows={rows} changes={false} />
        {note}
      </>
    )
  }
  return (
    <Form submit="Save autosweep" send={send}>
      <SweepTable rows={rows} changes />
      {note}
    </Form>
  )
}

function SweepTable({ rows, changes }: { rows: SweepRow[]; changes: boolean }) {
  return (
    <table className="grid">
      <caption className="unseen">Autosweep by network and token</caption>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Sweep</th>
          <th scope="col">Threshold</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const label = `${row.token} on ${chainNames[row.chain]}`
          const onOrOff = row.enabled ? 'On' : 'Off'
          return (
            <tr key={row.name}>
              <th scope="row">{label}</th>
              <td>
                {changes ? (
                  <input
                    type="checkbox"
                    name={`on-${row.name}`}
                    aria-label={`Sweep ${label}`}
                    defaultChecked={row.enabled}
                  />
                ) : (
                  onOrOff
                )}
              </td>
              <td>
                {changes ? (
                  <ThresholdField name={row.name} label={`Threshold of ${label}`} value={row.threshold} />
                ) : (
                  row.threshold
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
