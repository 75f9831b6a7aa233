import type { ChainConnection } from '../chains/connection.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import type { SendingChain } from './context.ts'

/** Opens the chains of a deployment for sending; loads each family's libraries at first use. */
export function sendingChains(
  chains: readonly ConfiguredChain[],
  connectionOf: (chain: string) => Promise<Pick<ChainConnection, 'accounts'>>,
): (name: string) => Promise<SendingChain> {
  const opened = new Map<string, Promise<SendingChain>>()
  const open = async (name: string): Promise<SendingChain> => {
    const chain = chains.find((each) => each.name === name)
    if (!chain) throw new Error(`${name} is not configured`)
    const { sender } = await (await connectionOf(name)).accounts()
    return { chain, sender, builder: await transferBuilder(chain) }
  }
  return (name) => {
    const found = opened.get(name) ?? open(name)
    opened.set(name, found)
    // Retry a failed one at the next call.
    found.catch(() => opened.delete(name))
    return found
  }
}
