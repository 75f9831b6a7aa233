import { Field } from '../ui/Field.tsx'
import { labelInZone } from '../ui/zone.ts'
import { useZone } from '../ui/zoneOfPage.ts'

interface Props {
  search: URLSearchParams
  since?: { name?: string; label?: string }
  until?: { name?: string; label?: string }
}

/** From and to of a list, by the clocks of the page's zone, which both name. */
export const TimeFields = ({ search, since = {}, until = {} }: Props) => (
  <>
    <TimeField search={search} name={since.name ?? 'since'} label={since.label ?? 'From'} />
    <TimeField search={search} name={until.name ?? 'until'} label={until.label ?? 'To'} />
  </>
)

function TimeField({ search, name, label }: { search: URLSearchParams; name: string; label: string }) {
  return (
    <Field
      name={name}
      label={labelInZone(label, useZone())}
      type="datetime-local"
      defaultValue={search.get(name) ?? undefined}
    />
  )
}
