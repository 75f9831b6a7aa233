import { Link } from 'wouter'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { walletsPath } from '../wallets/paths.ts'
import { bridgeIn, walletChoices } from './bridgeForm.ts'
import { bridgeChains } from './bridgeLabels.ts'
import type { BridgeRequest, EstimatedBridge, Wallet } from './types.ts'

interface Props {
  /** What was entered before. */
  request: BridgeRequest | undefined
  onClose: () => void
  onEstimated: (estimated: EstimatedBridge) => void
}

const speeds = [
  { value: 'standard', label: 'Standard', hint: 'Usually 15 to 30 minutes.' },
  { value: 'fast', label: 'Fast', hint: 'Minutes at most, for a fee. Not all networks have it.' },
]
const minters = [
  { value: 'platform', label: 'This platform', hint: 'Without a fee.' },
  { value: 'circle', label: 'Circle', hint: 'For a fee in USDC.' },
]

export function BridgeFormDialog({ request, onClose, onEstimated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  const loaded = useLoaded(
    business.id,
    async (signal) => (await api.call('listSenders', { path, signal })).wallets,
  )
  async function send(data: FormData, wallets: Wallet[]): Promise<void> {
    const given = bridgeIn(data, wallets)
    onEstimated({
      request: given,
      estimate: await api.call('estimateBridgeTransferOfBusiness', { path, body: given }),
    })
  }
  const chosenOf = (wallets: Wallet[]) =>
    wallets.find(({ chain, address }) => chain === request?.sourceChain && address === request.sourceAddress)
      ?.id
  return (
    <Dialog title="Bridge USDC" onClose={onClose}>
      <Loaded of={loaded}>
        {(wallets) =>
          walletChoices(wallets).length === 0 ? (
            <NoWallet onClose={onClose} />
          ) : (
            <Form submit="Continue" send={(data) => send(data, wallets)} onCancel={onClose} focusFirst>
              <Select
                name="sourceAddress"
                label="From"
                choices={walletChoices(wallets)}
                defaultValue={chosenOf(wallets)}
              />
              <Select
                name="destinationChain"
                label="To network"
                choices={bridgeChains}
                defaultValue={request?.destinationChain}
              />
              <Field
                name="destinationAddress"
                label="To address"
                required
                maxLength={120}
                autoComplete="off"
                spellCheck={false}
                defaultValue={request?.destinationAddress}
              />
              <Field
                name="amount"
                label="Amount"
                hint="In USDC, fee included."
                required
                maxLength={60}
                inputMode="decimal"
                autoComplete="off"
                defaultValue={request?.amount}
              />
              <Choices name="speed" legend="Speed" choices={speeds} chosen={request?.speed ?? 'standard'} />
              <Choices
                name="mintedBy"
                legend="Minted by"
                choices={minters}
                chosen={request?.automatic ? 'circle' : 'platform'}
              />
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function NoWallet({ onClose }: { onClose: () => void }) {
  const { business } = useBusiness()
  return (
    <>
      <Empty title="There is no wallet to bridge from.">
        <p>
          Store one on a network with a bridge under <Link href={walletsPath(business.id)}>Wallets</Link>.
        </p>
      </Empty>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  )
}
