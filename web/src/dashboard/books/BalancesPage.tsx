import { useId } from 'react'
import { useSearchParams } from 'wouter'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { dateIn, endOfDate, labelInZone } from '../../ui/zone.ts'
import { useZone } from '../../ui/zoneOfPage.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { Amount } from './Amount.tsx'
import { BalanceTable } from './BalanceTable.tsx'
import { assetLabels, isZero } from './bookLabels.ts'
import type { BalanceTotal } from './types.ts'

/** What the business has, by asset and together, now or at the end of a day. */
export function BalancesPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const today = dateIn(business.timeZone, new Date())
  const date = search.get('date') ?? ''
  const at = date < today ? endOfDate(date, business.timeZone) : undefined
  const zeros = search.get('zeros') === 'shown'
  const balances = useLoaded(`${business.id} ${at}`, (signal) =>
    api.call('listBalancesOfBusiness', { path: { businessId: business.id }, query: { at }, signal }),
  )
  const choose = (wanted: { date?: string; zeros?: boolean }) => {
    const [day, all] = [wanted.date ?? date, wanted.zeros ?? zeros]
    setSearch({ ...(day && day < today && { date: day }), ...(all && { zeros: 'shown' }) }, { replace: true })
  }
  return (
    <Page
      title="Balances"
      tab={`Balances · ${business.name}`}
      lead="Your balances in the books. Pending money belongs to payments that have not ended. Transfers from your own wallets are not in the books."
    >
      <div className="filters">
        <DateField value={at ? date : today} max={today} onChoose={(day) => choose({ date: day })} />
        <Checkbox
          name="zeros"
          value="shown"
          label="Show zero balances"
          checked={zeros}
          onChange={(shown) => choose({ zeros: shown })}
        />
      </div>
      <Loaded of={balances}>
        {({ at: asOf, total, balances: rows }) => {
          const shown = rows.filter((balance) => zeros || !isZero(balance))
          return (
            <>
              <Total total={total} isPast={at !== undefined} asOf={asOf} />
              {shown.length === 0 ? (
                <Empty title={rows.length === 0 ? 'There is no money yet.' : 'All balances are zero.'}>
                  <p>
                    {rows.length === 0
                      ? 'The first confirmed payment appears here.'
                      : 'Show zero balances to see them.'}
                  </p>
                </Empty>
              ) : (
                <BalanceTable balances={shown} />
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

interface TotalProps {
  total: BalanceTotal | null
  isPast: boolean
  asOf: string
}

function Total({ total, isPast, asOf }: TotalProps) {
  return (
    <div className="stack">
      {total && (
        <p className="total">
          <span className="fine">Total</span> <Amount of={total.amount} unit={total.currency} />
        </p>
      )}
      <p className="fine">
        As of <Time at={asOf} />. {!total && 'There is no total: the rate of your currency is not known now.'}
        {total && total.rate !== null && (
          <>
            {isPast ? 'The total is at the rate of today' : 'At'}{' '}
            <Amount of={total.rate} unit={total.currency} /> for a dollar.
          </>
        )}
        {total && total.without.length > 0 && ` Without ${total.without.map(assetLabels).join(', ')}.`}
      </p>
    </div>
  )
}

interface DateProps {
  value: string
  max: string
  onChoose: (date: string) => void
}

function DateField({ value, max, onChoose }: DateProps) {
  const id = useId()
  const timeZone = useZone()
  return (
    <div className="filter">
      <label htmlFor={id}>{labelInZone('As of', timeZone)}</label>
      <input
        key={value}
        id={id}
        type="date"
        defaultValue={value}
        max={max}
        onChange={({ target }) => {
          if (endOfDate(target.value, timeZone) && target.value <= max && target.value !== value)
            onChoose(target.value)
        }}
      />
    </div>
  )
}
