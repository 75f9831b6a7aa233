import { useId } from 'react'
import { useFieldError } from '../../ui/FormErrors.ts'
import { chainLabel } from '../labels.ts'
import { type Autopayout, type AutopayoutRow, destinationsFor, problemLabels } from './autopayout.ts'
import { describeDestination } from './payoutLabels.ts'
import type { Destination } from './types.ts'

interface Props {
  settings: Autopayout
  rows: AutopayoutRow[]
  destinations: Destination[]
  changes: boolean
}

export function AutopayoutTable({ settings, rows, destinations, changes }: Props) {
  return (
    <table className="grid">
      <caption className="unseen">Autopayout by network and token</caption>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">On</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const label = `${row.token} on ${chainLabel(row.chain)}`
          const chosen = destinations.find(({ id }) => id === row.destinationId)
          const offered = destinationsFor(settings, row.token, destinations).filter(
            (each) => each.status !== 'archived' || each === chosen,
          )
          const onOrOff = row.enabled ? 'On' : 'Off'
          const destination = chosen ? inALine(chosen) : 'None'
          return (
            <tr key={row.name}>
              <th scope="row">{label}</th>
              <td className="narrow">
                {changes ? (
                  <input
                    type="checkbox"
                    name={`on-${row.name}`}
                    aria-label={`Pay out ${label}`}
                    defaultChecked={row.enabled}
                  />
                ) : (
                  onOrOff
                )}
              </td>
              <td>
                {changes ? (
                  <DestinationField row={row} label={`Destination of ${label}`} offered={offered} />
                ) : (
                  destination
                )}
                {row.enabled && row.problem && (
                  <p className="field-error">
                    {problemLabels[row.problem]} Customers are not offered this token.
                  </p>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const inALine = (destination: Destination): string => destination.name ?? describeDestination(destination)

/** A field of a table, which its row and column label for those who see it. */
function DestinationField({
  row,
  label,
  offered,
}: {
  row: AutopayoutRow
  label: string
  offered: Destination[]
}) {
  const id = useId()
  const error = useFieldError(row.name)
  const isListed = row.destinationId === null || offered.some((each) => each.id === row.destinationId)
  return (
    <>
      <select
        name={row.name}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        defaultValue={row.destinationId ?? ''}
      >
        <option value="">None</option>
        {offered.map((each) => (
          <option key={each.id} value={each.id}>
            {inALine(each)}
          </option>
        ))}
        {!isListed && <option value={row.destinationId ?? ''}>The present one</option>}
      </select>
      {error && (
        <p id={id} className="field-error">
          {error}
        </p>
      )}
    </>
  )
}
