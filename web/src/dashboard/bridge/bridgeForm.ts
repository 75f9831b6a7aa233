import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { chainLabel, isChain } from '../labels.ts'
import { decimalForm } from '../payouts/payoutForm.ts'
import { bridgeChains } from './bridgeLabels.ts'
import type { BridgeRequest, Wallet } from './types.ts'

const hasBridge = (chain: string): boolean => bridgeChains.some(({ value }) => value === chain)

/** Wallets on networks with a bridge, as choices. */
export const walletChoices = (wallets: readonly Wallet[]): { value: string; label: string }[] =>
  wallets
    .filter(({ chain }) => hasBridge(chain))
    .map(({ id, name, chain, address }) => ({
      value: id,
      label: `${chainLabel(chain)}, ${name ?? ''} ${address}`.replace(',  ', ', '),
    }))

/** A sent form. @throws FieldProblem */
export function bridgeIn(data: FormData, wallets: readonly Wallet[]): BridgeRequest {
  const wallet = wallets.find(({ id }) => id === textOf(data, 'sourceAddress'))
  if (!wallet || !isChain(wallet.chain)) throw new FieldProblem({ sourceAddress: 'Choose one.' })
  const destinationChain = textOf(data, 'destinationChain')
  if (!isChain(destinationChain)) throw new FieldProblem({ destinationChain: 'Choose one.' })
  if (destinationChain === wallet.chain)
    throw new FieldProblem({ destinationChain: 'Choose another network than that of the wallet.' })
  const amount = trimmed(data, 'amount')
  if (!decimalForm.test(amount)) throw new FieldProblem({ amount: 'Enter an amount, such as 25 or 12.50.' })
  return {
    sourceChain: wallet.chain,
    destinationChain,
    amount,
    sourceAddress: wallet.address,
    destinationAddress: trimmed(data, 'destinationAddress'),
    speed: textOf(data, 'speed') === 'fast' ? 'fast' : 'standard',
    automatic: textOf(data, 'mintedBy') === 'circle',
  }
}
