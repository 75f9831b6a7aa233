import { Badge } from '../../../ui/Badge.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Amount } from '../../books/Amount.tsx'
import { chainLabel } from '../../labels.ts'
import { agoText, chainStates, nodeStates } from './healthLabels.ts'
import type { ChainHealth } from './types.ts'

interface Props {
  chains: ChainHealth[]
  /** When they were so. */
  at: string
}

export function ChainTable({ chains, at }: Props) {
  return (
    <DataTable
      caption="Chains"
      rows={chains}
      keyOf={({ chain }) => chain}
      columns={[
        { head: 'Chain', cell: ({ chain }) => <span className="strong">{chainLabel(chain)}</span> },
        { head: 'State', cell: (chain) => <State of={chain} at={at} /> },
        { head: 'Blocks', cell: (chain) => <Blocks of={chain} /> },
        { head: 'Nodes', cell: ({ nodes }) => <Nodes of={nodes} /> },
        { head: 'Treasury gas', cell: ({ lowGas }) => <Gas of={lowGas} /> },
      ]}
    />
  )
}

function State({ of: { state, paused, lastBlockAt }, at }: { of: ChainHealth; at: string }) {
  const { label, tone } = chainStates[state]
  return (
    <>
      <Badge tone={tone}>{label}</Badge> {paused && <Badge tone="wait">Sending paused</Badge>}
      {lastBlockAt && (
        <span className="fine">
          Newest block{' '}
          <time dateTime={lastBlockAt} title={lastBlockAt}>
            {agoText(lastBlockAt, at)}
          </time>
        </span>
      )}
      {paused && <span className="fine">{paused.reason}</span>}
    </>
  )
}

const count = new Intl.NumberFormat()
const blocks = (n: number): string => `${count.format(n)} ${n === 1 ? 'block' : 'blocks'}`

function Blocks({ of: { height, head, lag, gaps, untraced } }: { of: ChainHealth }) {
  if (height === null) return 'None read yet'
  return (
    <>
      <span className="whole">{count.format(height)}</span>
      <span className="fine">
        {head === null
          ? 'Head not known'
          : `Head ${count.format(head)}, ${lag ? `${blocks(lag)} behind` : 'no lag'}`}
      </span>
      {gaps > 0 && <Badge tone="bad">{`${blocks(gaps)} not read`}</Badge>}
      {untraced > 0 && <span className="fine">{`${blocks(untraced)} without internal transfers`}</span>}
      {gaps === 0 && untraced === 0 && <span className="fine">All read</span>}
    </>
  )
}

function Nodes({ of }: { of: ChainHealth['nodes'] }) {
  if (of.length === 0) return <span className="fine">Not reported</span>
  return (
    <ul className="lines">
      {of.map(({ name, state, latencyMs }) => (
        <li key={name}>
          {name}{' '}
          {state === 'ok' ? (
            <span className="fine">{latencyMs === null ? nodeStates.ok.label : `${latencyMs} ms`}</span>
          ) : (
            <Badge tone={nodeStates[state].tone}>{nodeStates[state].label}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}

function Gas({ of }: { of: ChainHealth['lowGas'] }) {
  if (!of) return 'Enough'
  return (
    <>
      <Badge tone="bad">Low</Badge> <Amount of={of.balance} unit={of.symbol} />
      <span className="fine">
        Needs <Amount of={of.lowWater} unit={of.symbol} />
      </span>
    </>
  )
}
