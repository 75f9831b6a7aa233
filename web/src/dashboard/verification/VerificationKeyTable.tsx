import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { keyStateLabels } from '../labels.ts'
import type { VerificationKey } from './types.ts'
import { keyKindLabels } from './verificationLabels.ts'

export type KeyChange = 'rotate' | 'origins' | 'revoke'

interface Props {
  keys: VerificationKey[]
  /** Undefined: the person may not change keys. */
  onChange: ((what: KeyChange, key: VerificationKey) => void) | undefined
}

export function VerificationKeyTable({ keys, onChange }: Props) {
  return (
    <DataTable
      caption="Verification keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name',
          cell: ({ name, prefix }) => (
            <>
              <span className="strong">{name}</span>
              <code className="fine">{prefix}…</code>
            </>
          ),
        },
        {
          head: 'Kind',
          cell: ({ kind, origins }) => (
            <>
              {keyKindLabels[kind]}
              {origins.map((origin) => (
                <span key={origin} className="fine">
                  {origin}
                </span>
              ))}
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state }) => <Badge tone={keyStateLabels[state].tone}>{keyStateLabels[state].label}</Badge>,
        },
        { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'Never') },
        ...(onChange
          ? [
              {
                head: 'Change',
                actions: true,
                cell: (key: VerificationKey) => <KeyActions verificationKey={key} onChange={onChange} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function KeyActions({
  verificationKey: key,
  onChange,
}: {
  verificationKey: VerificationKey
  onChange: NonNullable<Props['onChange']>
}) {
  if (key.state !== 'active') return null
  return (
    <>
      {key.replacedBy === null && (
        <button
          type="button"
          className="button"
          aria-label={`Rotate ${key.name}`}
          onClick={() => onChange('rotate', key)}
        >
          Rotate
        </button>
      )}
      {key.kind === 'publishable' && (
        <button
          type="button"
          className="button"
          aria-label={`Change the web sites of ${key.name}`}
          onClick={() => onChange('origins', key)}
        >
          Web sites
        </button>
      )}
      <button
        type="button"
        className="button danger"
        aria-label={`Revoke ${key.name}`}
        onClick={() => onChange('revoke', key)}
      >
        Revoke
      </button>
    </>
  )
}
