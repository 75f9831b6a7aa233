import { useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { useFieldError } from '../../ui/FormErrors.ts'
import { useBusiness } from '../business/business.ts'
import { offeredPermissions } from './keyPermissions.ts'

interface Props {
  scope: 'read' | 'write'
  /** Null: everything that the scope allows. */
  chosen: string[] | null
}

/** Everything that the scope allows, or some of its permissions. */
export function PermissionChoice({ scope, chosen }: Props) {
  const [limited, setLimited] = useState(chosen !== null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(chosen ?? []))
  const error = useFieldError('permissions')
  const { role } = useBusiness()
  const offered = offeredPermissions(scope, role)

  function tick(name: string, on: boolean): void {
    const next = new Set(ticked)
    if (on) next.add(name)
    else next.delete(name)
    setTicked(next)
  }

  return (
    <>
      <Choices
        name="limit"
        legend="Permissions"
        chosen={limited ? 'some' : 'all'}
        onChoose={(value) => setLimited(value === 'some')}
        choices={[
          {
            value: 'all',
            label: 'Everything its scope allows',
            hint: 'All of this version of Cowry, and reading in later versions. Not what only owners may do.',
          },
          { value: 'some', label: 'Only what I choose' },
        ]}
      />
      {limited && (
        <fieldset
          className={error ? 'field permissions wrong' : 'field permissions'}
          aria-describedby={error ? 'permissions-error' : undefined}
        >
          <legend>What the key may do</legend>
          {error && (
            <p id="permissions-error" className="field-error">
              {error}
            </p>
          )}
          {offered.map(({ name, allows }) => (
            <Checkbox
              key={name}
              name="permissions"
              value={name}
              label={name}
              hint={allows}
              checked={ticked.has(name)}
              onChange={(on) => tick(name, on)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
