import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { keyStateLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { KeyState } from '../types.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { KeySecretDialog } from './KeySecretDialog.tsx'
import { KeyTable } from './KeyTable.tsx'
import { RefundAddressKeys } from './RefundAddressKeys.tsx'
import { UnconfirmedKeys } from './UnconfirmedKeys.tsx'

const states = [
  { value: '', label: 'All keys' },
  ...Object.entries(keyStateLabels).map(([value, { label }]) => ({ value, label })),
]

export function KeysPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<{ what: 'create' } | { what: 'secret'; secret: string }>()
  const given = search.get('state') ?? ''
  const state = given in keyStateLabels ? (given as KeyState) : undefined
  const pages = usePages(`${business.id} ${state}`, async (cursor, signal) => {
    const { keys, ...page } = await api.call('listKeys', {
      path: { businessId: business.id },
      query: { state, cursor },
      signal,
    })
    return { ...page, rows: keys }
  })
  const close = () => setOpen(undefined)
  return (
    <Page
      title="API keys"
      tab={`API keys · ${business.name}`}
      lead="Your servers call the API with these. A key is shown once, when it is made."
      actions={
        develops && (
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'create' })}>
            Create key
          </button>
        )
      }
    >
      <UnconfirmedKeys onDecided={pages.reload} />
      <RefundAddressKeys onDecided={pages.reload} />
      <Filter
        label="Show"
        value={state ?? ''}
        choices={states}
        onChoose={(value) => setSearch(value ? { state: value } : {}, { replace: true })}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={state ? 'No key has this state.' : 'There is no API key yet.'}>
              {!state && develops && <p>Create one, then send it as the header X-API-Key.</p>}
            </Empty>
          ) : (
            <>
              <KeyTable keys={rows} businessId={business.id} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open?.what === 'create' && (
        <CreateKeyDialog
          onClose={close}
          onCreated={(secret) => {
            setOpen({ what: 'secret', secret })
            pages.reload()
          }}
        />
      )}
      {open?.what === 'secret' && <KeySecretDialog secret={open.secret} onClose={close} />}
    </Page>
  )
}
