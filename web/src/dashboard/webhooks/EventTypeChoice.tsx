import { useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { useFieldError } from '../../ui/FormErrors.ts'
import { allOf, topics, unknownTypes } from './eventTypes.ts'

/** Everything, whole topics or single event types. */
export function EventTypeChoice({ chosen }: { chosen: string[] | null }) {
  const [limited, setLimited] = useState(chosen !== null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(chosen ?? []))
  const error = useFieldError('eventTypes')

  function tick(type: string, on: boolean): void {
    const next = new Set(ticked)
    if (on) next.add(type)
    else next.delete(type)
    setTicked(next)
  }
  const box = (type: string, label: string, hint?: string) => (
    <Checkbox
      key={type}
      name="eventTypes"
      value={type}
      label={label}
      {...(hint ? { hint } : {})}
      checked={ticked.has(type)}
      onChange={(on) => tick(type, on)}
    />
  )

  return (
    <>
      <Choices
        name="limit"
        legend="Events"
        chosen={limited ? 'some' : 'all'}
        onChoose={(value) => setLimited(value === 'some')}
        choices={[
          { value: 'all', label: 'Everything', hint: 'Also types that are added to Cowry later.' },
          { value: 'some', label: 'Only what I choose' },
        ]}
      />
      {limited && error && <p className="field-error">{error}</p>}
      {limited &&
        topics.map(({ topic, label, hint, types }) => (
          <fieldset key={topic} className="field boxed">
            <legend>{label}</legend>
            {box(allOf(topic), `All of ${allOf(topic)}`, hint)}
            {!ticked.has(allOf(topic)) && types.map((each) => box(each.type, each.type, each.hint))}
          </fieldset>
        ))}
      {limited && unknownTypes(chosen ?? []).length > 0 && (
        <fieldset className="field boxed">
          <legend>Others</legend>
          {unknownTypes(chosen ?? []).map((type) => box(type, type))}
        </fieldset>
      )}
    </>
  )
}
