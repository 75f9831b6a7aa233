import { useState } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { MemoFields } from '../MemoFields.tsx'
import { useApi } from '../session/session.ts'

/** A network, and an address on it. */
export function WalletFields() {
  const api = useApi()
  const { business } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getPaymentSettings', { path: { businessId: business.id }, signal }),
  )
  return (
    <Loaded of={settings}>{({ networks }) => <Address chains={networks.map(({ chain }) => chain)} />}</Loaded>
  )
}

function Address({ chains }: { chains: string[] }) {
  const [chain, setChain] = useState(chains[0])
  return (
    <>
      <Select
        name="chain"
        label="Network"
        value={chain}
        onChange={(event) => setChain(event.target.value)}
        choices={chains.map((value) => ({ value, label: chainLabel(value) }))}
      />
      <Field
        name="address"
        label="Address"
        hint="What is sent to a wrong address is lost: check it twice."
        required
        maxLength={120}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <MemoFields chain={chain} hint="Exchanges need one. May stay empty for a wallet of your own." />
    </>
  )
}
