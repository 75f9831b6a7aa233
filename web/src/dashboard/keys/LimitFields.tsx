import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { labelInZone, toZoneInput } from '../../ui/zone.ts'
import { useZone } from '../../ui/zoneOfPage.ts'
import type { ApiKey } from '../types.ts'

/** Limits of a key: networks, requests and expiry. */
export function LimitFields({ apiKey }: { apiKey?: ApiKey }) {
  const timeZone = useZone()
  return (
    <>
      <TextArea
        name="allowedAddresses"
        label="Allowed addresses"
        hint="One IP address or network a line, such as 203.0.113.7 or 10.0.0.0/8. Empty: from anywhere."
        defaultValue={apiKey?.allowedAddresses?.join('\n')}
        spellCheck={false}
        autoComplete="off"
      />
      <Field
        name="requestsPerMinute"
        label="Requests per minute"
        hint="Empty: as many as the business may."
        type="number"
        inputMode="numeric"
        min={1}
        max={100000}
        step={1}
        defaultValue={apiKey?.requestsPerMinute ?? undefined}
      />
      <Field
        name="expiresAt"
        label={labelInZone('Expires', timeZone)}
        hint="Empty: never."
        type="datetime-local"
        defaultValue={apiKey?.expiresAt ? toZoneInput(apiKey.expiresAt, timeZone) : undefined}
      />
    </>
  )
}
