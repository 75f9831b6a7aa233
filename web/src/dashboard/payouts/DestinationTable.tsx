import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { countryName, describeDestination, statusLabels } from './payoutLabels.ts'
import type { Destination } from './types.ts'

interface Props {
  destinations: Destination[]
  /** False: nothing can be changed. */
  onArchive: ((destination: Destination) => void) | false
}

export function DestinationTable({ destinations, onArchive }: Props) {
  const columns: Column<Destination>[] = [
    { head: 'Destination', cell: (destination) => <Place {...destination} /> },
    { head: 'Status', cell: (destination) => <Status {...destination} /> },
    { head: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  if (onArchive) {
    columns.push({
      head: 'Actions',
      actions: true,
      cell: (destination) =>
        destination.status !== 'archived' && (
          <button
            type="button"
            className="button danger"
            aria-label={`Archive ${describeDestination(destination)}`}
            onClick={() => onArchive(destination)}
          >
            Archive
          </button>
        ),
    })
  }
  return (
    <DataTable caption="Payout destinations" rows={destinations} keyOf={({ id }) => id} columns={columns} />
  )
}

function Place({
  name,
  chain,
  address,
  memo,
  bankName,
  country,
  currency,
  accountNumber,
  accountName,
}: Destination) {
  return (
    <>
      {name && <span className="strong">{name} </span>}
      {chain === null ? (
        <>
          <code>{accountNumber}</code>
          <span className="fine">
            {accountName}, {bankName}, {country && countryName(country)}, {currency}
          </span>
        </>
      ) : (
        <>
          <code>{address}</code>
          <span className="fine">
            {chainLabel(chain)}
            {memo !== null && `, memo ${memo}`}
          </span>
        </>
      )}
    </>
  )
}

function Status({ status, usableFrom, archivedAt }: Destination) {
  const { label, tone } = statusLabels[status]
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {status === 'cooling_off' && (
        <span className="fine">
          Usable from <Time at={usableFrom} />
        </span>
      )}
      {archivedAt && (
        <span className="fine">
          <Time at={archivedAt} />
        </span>
      )}
    </>
  )
}
