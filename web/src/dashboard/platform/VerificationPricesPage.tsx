import { useState } from 'react'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useApi } from '../session/session.ts'
import { productLabels, SetPriceDialog } from './SetPriceDialog.tsx'

type Price = DashboardAnswerOf<'listVerificationPrices'>['prices'][number]

/** The operator's prices of verifications, assessments and decisions. */
export function VerificationPricesPage() {
  const api = useApi()
  const [setting, setSetting] = useState(false)
  const prices = useLoaded('', (signal) => api.call('listVerificationPrices', { signal }))
  return (
    <Page
      title="Verification prices"
      lead="What a request costs, in US dollars. Requests that were made keep their price."
      actions={
        <button type="button" className="button primary" onClick={() => setSetting(true)}>
          Set a price
        </button>
      }
    >
      <Loaded of={prices}>
        {({ prices: all }) =>
          all.length === 0 ? (
            <Empty title="There is no price yet.">
              <p>Without a price, a request is refused.</p>
            </Empty>
          ) : (
            <PriceTable prices={all} />
          )
        }
      </Loaded>
      {setting && <SetPriceDialog onClose={() => setSetting(false)} onSet={prices.reload} />}
    </Page>
  )
}

function PriceTable({ prices }: { prices: Price[] }) {
  return (
    <DataTable
      caption="Verification prices"
      rows={prices}
      keyOf={({ product, country, idType }) => `${product} ${country} ${idType}`}
      columns={[
        { head: 'Product', cell: ({ product }) => productLabels[product] },
        { head: 'Country', cell: ({ country }) => country ?? '—' },
        { head: 'Document', cell: ({ idType }) => idType ?? '—' },
        { head: 'Price', cell: ({ price }) => <span className="amount">{`${price} USD`}</span> },
        { head: 'Set', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  )
}
