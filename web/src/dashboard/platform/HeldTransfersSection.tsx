import { useState } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { usePages } from '../../ui/usePages.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { OperatedBusiness, OperatedTransfer } from '../types.ts'
import { GiveUpDialog } from './GiveUpDialog.tsx'

interface Props {
  business: OperatedBusiness
  /** Called when a transfer was given up. */
  onGivenUp: () => void
}

/** The held transfers of a suspended business, the oldest first. */
export function HeldTransfersSection({ business, onGivenUp }: Props) {
  const api = useApi()
  const [open, setOpen] = useState<OperatedTransfer>()
  const pages = usePages(business.id, async (cursor, signal) => {
    const { transfers, ...page } = await api.call('listHeldTransfers', {
      path: { businessId: business.id },
      query: { sort: 'ASC', cursor },
      signal,
    })
    return { ...page, rows: transfers }
  })
  return (
    <Section
      title="Held transfers"
      lead="They are neither signed nor sent while the business is suspended. They resume once it is approved, except those that you give up before."
    >
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title="No transfer is held." />
          ) : (
            <div>
              <HeldTransferTable transfers={rows} onGiveUp={setOpen} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </div>
          )
        }
      </Loaded>
      {open && (
        <GiveUpDialog
          business={business}
          transfer={open}
          onClose={() => setOpen(undefined)}
          onGivenUp={() => {
            pages.reload()
            onGivenUp()
          }}
        />
      )}
    </Section>
  )
}

interface TableProps {
  transfers: OperatedTransfer[]
  onGiveUp: (transfer: OperatedTransfer) => void
}

function HeldTransferTable({ transfers, onGiveUp }: TableProps) {
  return (
    <DataTable
      caption="Held transfers"
      rows={transfers}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Transfer',
          cell: ({ amount, symbol, chain, toAddress, memo, waitsForApproval }) => (
            <>
              <span className="strong">
                {amount} {symbol}
              </span>
              <span className="fine">
                {chainLabel(chain)}, to <code>{toAddress}</code>
                {memo && ` (${memo})`}
              </span>
              {waitsForApproval && (
                <span className="fine">It waits for the approval of a second owner as well.</span>
              )}
            </>
          ),
        },
        {
          head: 'Signed by',
          cell: ({ signer }) =>
            signer === 'wallet' ? (
              'A stored wallet'
            ) : (
              <>
                A key of its own
                <span className="fine">
                  It can be sent without this platform, so it cannot be given up here.
                </span>
              </>
            ),
        },
        { head: 'Asked for', cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: 'Give up',
          actions: true,
          cell: (transfer) =>
            transfer.signer === 'wallet' && (
              <button
                type="button"
                className="button danger"
                aria-label={`Give up ${transfer.amount} ${transfer.symbol} to ${transfer.toAddress}`}
                onClick={() => onGiveUp(transfer)}
              >
                Give up
              </button>
            ),
        },
      ]}
    />
  )
}
