import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { EventTypeChoice } from './EventTypeChoice.tsx'
import type { Endpoint } from './types.ts'

/** The URL, the event types, the limit and the own headers of an endpoint. */
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
      <Field
        name="chains"
        label="Networks"
        hint="Only events of these, such as base, solana. Empty: all. Events without a network come all the same."
        defaultValue={endpoint?.chains?.join(', ')}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="tokens"
        label="Tokens"
        hint="Only events of these, such as USDC. Empty: all. Events without a token come all the same."
        defaultValue={endpoint?.tokens?.join(', ')}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="referencePrefix"
        label="Start of the reference"
        hint="Only events of payments, payouts and collections whose reference begins so. Empty: all."
        maxLength={200}
        defaultValue={endpoint?.referencePrefix ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="maxPerSecond"
        label="Requests per second"
        hint="The largest number in any second; others wait. Empty: no limit."
        type="number"
        min={1}
        max={1000}
        step={1}
        defaultValue={endpoint?.maxPerSecond ?? undefined}
        autoComplete="off"
      />
      <TextArea
        name="headers"
        label="Own headers"
        hint={
          endpoint && endpoint.headerNames.length > 0 ? (
            <PresentHeaders names={endpoint.headerNames} />
          ) : (
            headerHint
          )
        }
        rows={3}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}

const headerHint = 'One a line, such as Authorization: Bearer 123. Values are not shown again.'

const PresentHeaders = ({ names }: { names: string[] }) => (
  <>
    Set now: <code>{names.join(', ')}</code>. Write one again to change it, or its name with a colon alone to
    remove it. For another server, write all of them again.
  </>
)
