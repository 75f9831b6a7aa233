import { useState } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { chainLabel } from '../labels.ts'
import { hasMemos } from '../MemoFields.tsx'
import type { CollectionOptions } from './types.ts'

/** The token and the wallet that a collection is settled to. */
export function SettlementFields({ networks }: Pick<CollectionOptions, 'networks'>) {
  const [wanted, setNetwork] = useState<string>()
  const network = networks.find(({ chain }) => chain === wanted) ?? networks[0]
  return (
    <>
      <Select
        name="cryptoNetwork"
        label="Network"
        value={network?.chain}
        onChange={(event) => setNetwork(event.target.value)}
        choices={networks.map(({ chain }) => ({ value: chain, label: chainLabel(chain) }))}
      />
      <Select
        name="cryptoCurrency"
        label="Token"
        choices={(network?.tokens ?? []).map((value) => ({ value, label: value }))}
      />
      <Field
        name="walletAddress"
        label="Wallet address"
        hint="A wallet of yours. What is settled to a wrong address is lost: check it twice."
        required
        maxLength={120}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {hasMemos(network?.chain) && (
        <Field
          name="memo"
          label="Memo"
          hint="The partner adds it as text."
          required
          maxLength={28}
          autoComplete="off"
        />
      )}
    </>
  )
}
