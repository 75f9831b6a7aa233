import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { exactTime } from '../../ui/localTime.ts'
import { useBusiness } from '../business/business.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { accountLabels, assetLabels, kindLabels } from './bookLabels.ts'
import type { LedgerEntry } from './types.ts'

export function EntryTable({ entries }: { entries: LedgerEntry[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Entries"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Entry',
          cell: ({ kind, description, createdAt }) => (
            <>
              <span className="strong">{kindLabels(kind)}</span>
              {description && <span className="fine">{description}</span>}
              <time className="fine" dateTime={createdAt}>
                {exactTime(createdAt)}
              </time>
            </>
          ),
        },
        {
          head: 'Change',
          cell: ({ postings }) => (
            <ul className="lines">
              {postings.map(({ account, asset, amount }) => (
                <li key={`${account} ${asset} ${amount}`}>
                  {accountLabels[account]}: {signed(amount)} {assetLabels(asset)}
                </li>
              ))}
            </ul>
          ),
        },
        {
          head: 'Reference',
          cell: ({ sessionId, reference }) => (
            <>
              <code>{reference}</code>
              {sessionId && (
                <span className="fine">
                  Payment <Link href={sessionPath(business.id, sessionId)}>{sessionId}</Link>
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

const signed = (amount: string): string => (amount.startsWith('-') ? `−${amount.slice(1)}` : `+${amount}`)
