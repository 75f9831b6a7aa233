import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { isMonth, isZone, monthIn, readersZone, zoneLabel } from '../../ui/zone.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { downloadFile } from './downloadFile.ts'
import { MonthClosing } from './MonthClosing.tsx'
import { MonthField } from './MonthField.tsx'
import { StatementLines } from './StatementLines.tsx'
import { StatementTable } from './StatementTable.tsx'

/** What a month changed, in the time zone of the business: to read, to print and to keep. */
export function StatementPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [failure, setFailure] = useState<unknown>()
  const given = search.get('timeZone') ?? ''
  const timeZone = isZone(given) ? given : business.timeZone
  const isOwn = timeZone === business.timeZone
  const now = monthIn(timeZone, new Date())
  const asked = search.get('month') ?? ''
  const month = isMonth(asked) && asked <= now ? asked : now
  // A closed month has the bounds of its time, by which its business may have had another zone.
  const query = isOwn ? { month } : { month, timeZone }
  const statement = useLoaded(`${business.id} ${month} ${timeZone}`, (signal) =>
    api.call('getLedgerStatementOfBusiness', { path: { businessId: business.id }, query, signal }),
  )
  const choose = (wanted: { month?: string; timeZone?: string }) =>
    setSearch({ month, timeZone, ...wanted }, { replace: true })
  const save = (type: 'text/csv' | 'application/pdf') => {
    setFailure(undefined)
    const path = `/businesses/${encodeURIComponent(business.id)}/ledger/statement?${new URLSearchParams(query)}`
    const name = `statement-${month}.${type === 'text/csv' ? 'csv' : 'pdf'}`
    void downloadFile(path, name, type).catch(setFailure)
  }
  return (
    <Page
      title="Statement"
      tab={`Statement ${month} · ${business.name}`}
      lead="What each balance was before a month, what changed it, and what it was after."
      actions={
        <>
          <button type="button" className="button" onClick={() => window.print()}>
            Print
          </button>
          <button type="button" className="button" onClick={() => save('application/pdf')}>
            Download PDF
          </button>
          <button type="button" className="button" onClick={() => save('text/csv')}>
            Download CSV
          </button>
        </>
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <div className="filters">
        <MonthField value={month} max={now} onChoose={(value) => choose({ month: value })} />
        <Filter
          label="Time zone"
          value={timeZone}
          choices={[...new Set([business.timeZone, readersZone(), 'UTC', timeZone])].map((value) => ({
            value,
            label: zoneLabel(value),
          }))}
          onChoose={(value) => choose({ timeZone: value })}
        />
      </div>
      <Loaded of={statement}>
        {({ accounts, lines, to, finalUntil }) => (
          <>
            <p className="fine">
              <span className="strong print-only">
                {business.name}, {month}, {timeZone}.{' '}
              </span>
              {finalUntil >= to
                ? 'This month is final.'
                : 'This month is not final yet: entries can still be added.'}
            </p>
            {isOwn && <MonthClosing month={month} timeZone={timeZone} isFinal={finalUntil >= to} />}
            {accounts.length === 0 ? (
              <Empty title="Nothing was in the books in this month." />
            ) : (
              <>
                <Section title="In short">
                  {lines.length === 0 ? <p>Nothing came or left.</p> : <StatementLines lines={lines} />}
                </Section>
                <Section title="By account">
                  <StatementTable accounts={accounts} />
                </Section>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
