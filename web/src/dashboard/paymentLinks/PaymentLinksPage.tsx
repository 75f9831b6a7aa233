import { Link, useSearchParams } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { FilterChip } from '../posSessions/FilterChip.tsx'
import { useApi } from '../session/session.ts'
import { amountOf, linkStatusChoices, linkStatusLabels } from './linkLabels.ts'
import { newPaymentLinkPath, paymentLinkPath } from './paths.ts'
import type { PaymentLink, PaymentLinkStatus } from './types.ts'

const countedTo = 10_000
const isStatus = (text: string): text is PaymentLinkStatus => Object.hasOwn(linkStatusLabels, text)

/** Payment links, the newest first; the filter is in the page's URL. */
export function PaymentLinksPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('status') ?? ''
  const status = isStatus(chosen) ? chosen : undefined
  const pages = usePages(`${business.id} ${status}`, async (cursor, signal) => {
    const { links, ...page } = await api.call('listPaymentLinksOfBusiness', {
      path: { businessId: business.id },
      query: { status, cursor },
      signal,
    })
    return { ...page, rows: links }
  })
  return (
    <Page
      title="Payment links"
      tab={`Payment links · ${business.name}`}
      lead="One link for many customers, or for one who chooses network and token."
      actions={
        develops && (
          <Link className="button primary" href={newPaymentLinkPath(business.id)}>
            New payment link
          </Link>
        )
      }
    >
      <div className="chip-line">
        <FilterChip
          label="State"
          value={status ?? ''}
          choices={linkStatusChoices}
          onChoose={(value) => setSearch(value === '' ? {} : { status: value })}
        />
      </div>
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={status ? 'No link has this state.' : 'There is no payment link yet.'}>
              <p>A link can be printed, sent or put on a site. Each customer who opens it gets a payment.</p>
            </Empty>
          ) : (
            <>
              <LinkTable links={rows} />
              <More
                pages={pages}
                shown={rows.length}
                total={total}
                atLeast={nextCursor !== null && total === countedTo}
                next={nextCursor}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function LinkTable({ links }: { links: PaymentLink[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Payment links"
      rows={links}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Link',
          cell: (link) => (
            <>
              <Link className="strong" href={paymentLinkPath(business.id, link.id)}>
                {link.label ?? amountOf(link)}
              </Link>
              {link.label !== null && <span className="fine">{amountOf(link)}</span>}
            </>
          ),
        },
        { head: 'Reference', cell: ({ reference }) => reference ?? '–' },
        { head: 'Paid', cell: ({ sessions, paidSessions }) => `${paidSessions} of ${sessions}` },
        {
          head: 'State',
          cell: ({ status }) => (
            <Badge tone={linkStatusLabels[status].tone}>{linkStatusLabels[status].label}</Badge>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
