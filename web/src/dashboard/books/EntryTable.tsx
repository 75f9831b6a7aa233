import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { Amount } from './Amount.tsx'
import { accountLabels, assetLabels, kindLabels, partLabels } from './bookLabels.ts'
import { causePath } from './causePath.ts'
import type { LedgerEntry } from './types.ts'

export function EntryTable({ entries }: { entries: LedgerEntry[] }) {
  return (
    <DataTable
      caption="Entries"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Entry',
          cell: ({ kind, description, corrects, createdAt }) => (
            <>
              <span className="strong">{kindLabels(kind)}</span>
              {description && <span className="fine">{description}</span>}
              {corrects && <span className="fine">Corrects the closed month {corrects}</span>}
              <Time at={createdAt} className="fine" exact />
            </>
          ),
        },
        {
          head: 'Change',
          cell: ({ postings }) => (
            <ul className="lines">
              {postings.map((posting) => (
                <Change key={`${posting.account} ${posting.asset} ${posting.amount}`} of={posting} />
              ))}
            </ul>
          ),
        },
        { head: 'About', cell: (entry) => <About entry={entry} /> },
      ]}
    />
  )
}

function Change({ of: { account, asset, amount, symbol, parts } }: { of: LedgerEntry['postings'][number] }) {
  return (
    <li>
      {accountLabels[account]}: <Amount of={amount} unit={assetLabels(asset)} signed />
      {parts.length > 1 && (
        <ul className="lines fine parts">
          {parts.map(({ part, amount: of, fiat }) => (
            <li key={part}>
              {partLabels[part]}: <Amount of={of} unit={symbol} signed />
              {fiat && fiat.currency !== symbol && (
                <>
                  {' · '}
                  <Amount of={fiat.amount} unit={fiat.currency} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Where the money came from or went, in what it was worth, and the way to what caused the entry. */
function About({ entry }: { entry: LedgerEntry }) {
  const { business } = useBusiness()
  const { reference, merchantReference, payee, fiat, transaction } = entry
  const cause = causePath(business.id, entry)
  return (
    <div className="about">
      {cause ? <Link href={cause.path}>{cause.label}</Link> : <code>{reference}</code>}
      {merchantReference && <span className="fine">Reference {merchantReference}</span>}
      {payee && <span className="fine">To {payee}</span>}
      {fiat && (
        <span className="fine">
          <Amount of={fiat.amount} unit={fiat.currency} /> at <Amount of={fiat.rate} />
        </span>
      )}
      {transaction && (
        <span className="fine">
          Transaction <ShortAddress of={transaction.txId} href={transaction.url} />
        </span>
      )}
    </div>
  )
}
