import { type Action, flowsOf, signersOf } from '../chains/action.ts'
import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'

/**
 * Checks the addresses of an action before it is stored: the treasury compares them as texts, and cannot sign
 * another form.
 * @throws Error for an address that is not in the chain's normal form, which is a mistake of the caller
 */
export function requireNormalAddresses(chainName: string, action: Action): void {
  const { normalise } = addressCodec(registeredChain(chainName).family)
  const { spends, receives } = flowsOf(action)
  const calls = action.kind === 'calls' ? action.calls : []
  const addresses = [
    ...signersOf(action),
    ...calls.flatMap(({ to, accounts }) => [to, ...accounts.map(({ address }) => address)]),
    ...[...spends, ...receives].map(({ address }) => address),
  ]
  const other = addresses.find((address) => normalise(address) !== address)
  if (other !== undefined) throw new Error(`${other} is not an address in the normal form of ${chainName}`)
}
