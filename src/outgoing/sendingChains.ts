import type { ChainConnection } from '../chains/connection.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import type { SendingChain } from './context.ts'

/** The chains of a deployment as something to send on; each family's libraries are loaded at its first use. */
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
    // What could not be opened is tried again.
    found.catch(() => opened.delete(name))
    return found
  }
}
