import { Field } from '../../ui/Field.tsx'
import { toLocalInput } from '../../ui/localTime.ts'
import { TextArea } from '../../ui/TextArea.tsx'
import type { ApiKey } from '../types.ts'

/** Limits of a key: networks, requests and expiry. */
export function LimitFields({ apiKey }: { apiKey?: ApiKey }) {
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
        label="Expires"
        hint="In your own time zone. Empty: never."
        type="datetime-local"
        defaultValue={apiKey?.expiresAt ? toLocalInput(apiKey.expiresAt) : undefined}
      />
    </>
  )
}
