import { useState } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { zoneLabel } from '../../ui/zone.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'

interface Props {
  month: string
  timeZone: string
  isFinal: boolean
}

/** Whether a month is closed, and by whom; owners close it here. */
export function MonthClosing({ month, timeZone, isFinal }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const [asking, setAsking] = useState(false)
  const notify = useNotify()
  const months = useLoaded(business.id, (signal) =>
    api.call('listLedgerMonths', { path: { businessId: business.id }, signal }),
  )
  if (months.now.state !== 'ready') return null
  const known = months.now.value.months.find((each) => each.month === month)
  if (known?.closedBy && known.closedAt)
    return (
      <p>
        {known.closedBy.name} closed this month on <Time at={known.closedAt} />. What is posted later is in a
        later month.
        {known.timeZone !== timeZone && ` Its bounds are those of ${zoneLabel(known.timeZone)}.`}
      </p>
    )
  async function close(): Promise<void> {
    const { state } = await api.call('closeLedgerMonth', {
      path: { businessId: business.id },
      body: { month, timeZone },
    })
    months.reload()
    setAsking(false)
    notify(state === 'closed' ? 'The month is closed.' : 'Another owner has to close it as well.')
  }
  return (
    <>
      {known?.timeZone === timeZone && (
        <p>{known.askedBy.name} asked to close this month: another owner has to close it as well.</p>
      )}
      {owns && isFinal && (
        <div className="button-row">
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Close month
          </button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title="Close this month?"
          confirm="Close month"
          danger={false}
          act={close}
          onClose={() => setAsking(false)}
        >
          <p>
            {month}, {timeZone}. It cannot be opened again: later postings, corrections too, are in a later
            month. Where the business has two owners, both have to close it.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
