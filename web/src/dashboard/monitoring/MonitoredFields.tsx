import { Choices } from '../../ui/Choices.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import type { MonitoredAddress } from './types.ts'

const tokens = [
  { value: 'known', label: 'Known ones', hint: 'The native coin, and the tokens that Cowry knows by name.' },
  {
    value: 'all',
    label: 'Every token',
    hint: 'Anyone can make a token with any name and send it. Trust the contract, not the name.',
  },
]

/** The fields of an entry that can also be changed. */
export function MonitoredFields({ entry }: { entry?: MonitoredAddress }) {
  return (
    <>
      <Choices name="tokens" legend="Tokens" choices={tokens} chosen={entry?.tokens ?? 'known'} />
      <TextArea
        name="metadata"
        label="Metadata"
        hint='Any JSON object, such as {"order": "1234"}. It is sent along with every event. May stay empty.'
        rows={4}
        defaultValue={entry?.metadata ? JSON.stringify(entry.metadata, null, 2) : undefined}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  )
}
