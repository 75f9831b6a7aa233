import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Field } from '../../ui/Field.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { usePages } from '../../ui/usePages.ts'
import { downloadFile } from '../books/downloadFile.ts'
import { trimmed } from '../formData.ts'
import { invitationLink } from '../invitationLink.ts'
import { approvalLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { Approval } from '../types.ts'
import { OpenBusinessDialog } from './OpenBusinessDialog.tsx'
import { OperatedBusinessTable } from './OperatedBusinessTable.tsx'
import { OwnerLinkNote } from './OwnerLinkNote.tsx'

const approvals = [
  { value: '', label: 'All businesses' },
  ...Object.entries(approvalLabels).map(([value, { label }]) => ({ value, label })),
]

const orders = [
  { value: 'opened DESC', label: 'Newest first' },
  { value: 'opened ASC', label: 'Oldest first' },
  { value: 'name ASC', label: 'By name' },
  { value: 'volume DESC', label: 'Most taken in 30 days' },
  { value: 'lastPayment DESC', label: 'Last payment' },
] as const

/** The order in the page's URL; any other text is the default. */
function orderIn(text: string | null) {
  const [sortBy, sort] = (orders.find(({ value }) => value === text)?.value ?? 'opened DESC').split(' ')
  return { sortBy, sort } as { sortBy: 'opened' | 'name' | 'volume' | 'lastPayment'; sort: 'ASC' | 'DESC' }
}

export function OperatedBusinessesPage() {
  const api = useApi()
  const notify = useNotify()
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<{ what: 'open' } | { what: 'link'; email: string; token: string }>()
  const given = search.get('approval') ?? ''
  const approval = given in approvalLabels ? (given as Approval) : undefined
  const q = search.get('q')?.trim() || undefined
  const order = orderIn(search.get('order'))
  const pages = usePages(JSON.stringify([approval, q, order]), async (cursor, signal) => {
    const byPage = order.sortBy !== 'opened'
    const { businesses, ...page } = await api.call('listBusinesses', {
      query: { approval, q, ...order, ...(byPage ? { page: Number(cursor ?? 1) } : { cursor }) },
      signal,
    })
    const next = page.page < page.totalPages ? String(page.page + 1) : null
    return { ...page, nextCursor: byPage ? next : page.nextCursor, rows: businesses }
  })
  const [failure, setFailure] = useState<unknown>()
  const saveCsv = () => {
    const { sortBy, sort } = order
    const query = new URLSearchParams({
      limit: '100',
      sortBy,
      sort,
      ...(approval && { approval }),
      ...(q && { q }),
    })
    setFailure(undefined)
    void downloadFile(`/operator/businesses?${query}`, 'businesses.csv').catch(setFailure)
  }
  const close = () => setOpen(undefined)

  function narrow(change: { approval?: string; q?: string; order?: string }): void {
    const was = { approval: given, q: q ?? '', order: search.get('order') ?? '' }
    const wanted = Object.entries({ ...was, ...change }).filter(([, value]) => value !== '')
    setSearch(Object.fromEntries(wanted), { replace: true })
  }

  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    narrow({ q: trimmed(new FormData(event.currentTarget), 'q') })
  }

  return (
    <Page
      title="All businesses"
      lead="Every business on this platform."
      actions={
        <>
          <button type="button" className="button" onClick={saveCsv}>
            Save as CSV
          </button>
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'open' })}>
            Open a business
          </button>
        </>
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <search className="filters">
        <div className="filter-group">
          <Filter
            label="State"
            value={approval ?? ''}
            choices={approvals}
            onChoose={(value) => narrow({ approval: value })}
          />
          <Filter
            label="Order"
            value={`${order.sortBy} ${order.sort}`}
            choices={[...orders]}
            onChoose={(value) => narrow({ order: value === 'opened DESC' ? '' : value })}
          />
        </div>
        <form key={q} className="search-line" onSubmit={submitted} aria-label="Search businesses">
          <Field name="q" label="Part of the name" type="search" maxLength={100} defaultValue={q} />
          <button type="submit" className="button">
            Search
          </button>
        </form>
      </search>
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={approval || q ? 'No business was found.' : 'There is no business yet.'} />
          ) : (
            <>
              <OperatedBusinessTable businesses={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open?.what === 'open' && (
        <OpenBusinessDialog
          onClose={close}
          onOpened={(email, token) => {
            pages.reload()
            setOpen(token === null ? undefined : { what: 'link', email, token })
            if (token === null) notify(`A mail is on its way to ${email}.`)
          }}
        />
      )}
      {open?.what === 'link' && (
        <SecretDialog
          title="The business is open"
          name="Invitation link"
          secret={invitationLink(open.token)}
          onClose={close}
        >
          <OwnerLinkNote email={open.email} />
        </SecretDialog>
      )}
    </Page>
  )
}
