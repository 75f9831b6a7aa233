import { Field } from '../../ui/Field.tsx'
import { EventTypeChoice } from './EventTypeChoice.tsx'
import type { Endpoint } from './types.ts'

/** The URL and the event types of an endpoint. */
export function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  return (
    <>
      <Field
        name="url"
        label="Endpoint URL"
        hint="An address on the internet that takes POST requests, such as https://shop.example/cowry."
        type="url"
        required
        maxLength={2000}
        defaultValue={endpoint?.url}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="description"
        label="Description"
        hint="For you, to recognize it later. May stay empty."
        maxLength={200}
        defaultValue={endpoint?.description}
        autoComplete="off"
      />
      <EventTypeChoice chosen={endpoint?.eventTypes ?? null} />
    </>
  )
}
