import { useState } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { LimitsDialog } from './LimitsDialog.tsx'
import { describeAmounts, writeLimits } from './limitsForm.ts'
import type { Sender, Senders } from './types.ts'

/** Stored wallets, and keys that move money, with their limits. */
export function SendingPage() {
  const api = useApi()
  const { business } = useBusiness()
  const senders = useLoaded(business.id, (signal) =>
    api.call('listSenders', { path: { businessId: business.id }, signal }),
  )
  const [open, setOpen] = useState<Sender>()
  return (
    <Page
      title="Sending"
      tab={`Sending · ${business.name}`}
      lead="The limits of stored wallets, and of the keys that move money. A transfer keeps to both; those of a key count its refunds and payouts too."
    >
      <Loaded of={senders}>
        {(value) => (
          <>
            <Section title="Wallets">
              <SenderTable
                caption="Wallets"
                senders={walletsOf(value)}
                onOpen={setOpen}
                empty="There is no stored wallet."
              />
            </Section>
            <Section title="API keys">
              <SenderTable
                caption="API keys"
                senders={keysOf(value)}
                onOpen={setOpen}
                empty="No key moves money."
              />
            </Section>
          </>
        )}
      </Loaded>
      {open && <LimitsDialog sender={open} onClose={() => setOpen(undefined)} onSaved={senders.reload} />}
    </Page>
  )
}

const walletsOf = ({ wallets }: Senders): Sender[] =>
  wallets.map(({ name, chain, address, ...wallet }) => ({
    ...wallet,
    kind: 'wallet',
    name: name ?? `${chainLabel(chain)} ${address}`,
  }))

const keysOf = ({ keys }: Senders): Sender[] =>
  keys.map(({ prefix, name, ...key }) => ({ ...key, kind: 'key', name: `${name} (${prefix}…)` }))

interface TableProps {
  caption: string
  senders: Sender[]
  empty: string
  onOpen: (sender: Sender) => void
}

function SenderTable({ caption, senders, empty, onOpen }: TableProps) {
  const { owns } = useBusiness()
  if (senders.length === 0) return <Empty title={empty} />
  return (
    <DataTable
      caption={caption}
      rows={senders}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Name', cell: ({ name }) => <span className="strong">{name}</span> },
        { head: 'Amounts', cell: (sender) => <Lines text={describeAmounts(sender)} none="Not limited" /> },
        {
          head: 'Destinations',
          cell: (sender) => <Lines code text={writeLimits(sender).destinations} none="Anywhere" />,
        },
        ...(owns
          ? [
              {
                head: 'Limits',
                actions: true,
                cell: (sender: Sender) => (
                  <button
                    type="button"
                    className="button"
                    aria-label={`Limits of ${sender.name}`}
                    onClick={() => onOpen(sender)}
                  >
                    Limits
                  </button>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

function Lines({ text, none, code = false }: { text: string; none: string; code?: boolean }) {
  if (text === '') return none
  return (
    <ul className="lines">
      {text.split('\n').map((line) => (
        <li key={line}>{code ? <code>{line}</code> : line}</li>
      ))}
    </ul>
  )
}
