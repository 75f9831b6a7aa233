import { Form } from '../../ui/Form.tsx'
import { Select } from '../../ui/Select.tsx'
import { zoneChoices } from '../../ui/zone.ts'
import { textOf } from '../formData.ts'

interface Props {
  timeZone: string
  save: (timeZone: string) => Promise<void>
}

/** The time zone of a business: today, months and statements are by its clocks. */
export function TimeZoneForm({ timeZone, save }: Props) {
  return (
    <Form submit="Save time zone" send={(data) => save(textOf(data, 'timeZone'))}>
      <Select
        name="timeZone"
        label="Time zone"
        hint="A closed month keeps its bounds; the next one begins where it ended."
        defaultValue={timeZone}
        choices={zoneChoices(timeZone)}
      />
    </Form>
  )
}
