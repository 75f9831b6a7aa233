import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Field } from '../../ui/Field.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { usePages } from '../../ui/usePages.ts'
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

export function OperatedBusinessesPage() {
  const api = useApi()
  const notify = useNotify()
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<{ what: 'open' } | { what: 'link'; email: string; token: string }>()
  const given = search.get('approval') ?? ''
  const approval = given in approvalLabels ? (given as Approval) : undefined
  const q = search.get('q')?.trim() || undefined
  const pages = usePages(JSON.stringify([approval, q]), async (cursor, signal) => {
    const { businesses, ...page } = await api.call('listBusinesses', {
      query: { approval, q, cursor },
      signal,
    })
    return { ...page, rows: businesses }
  })
  const close = () => setOpen(undefined)

  function narrow(change: { approval?: string; q?: string }): void {
    const wanted = Object.entries({ approval: given, q: q ?? '', ...change }).filter(
      ([, value]) => value !== '',
    )
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
        <button type="button" className="button primary" onClick={() => setOpen({ what: 'open' })}>
          Open a business
        </button>
      }
    >
      <search className="filters">
        <Filter
          label="State"
          value={approval ?? ''}
          choices={approvals}
          onChoose={(value) => narrow({ approval: value })}
        />
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
