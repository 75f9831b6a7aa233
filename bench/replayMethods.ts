import { heightOf, type Paying, type ReplayedChain, recordedChain, replayedChains } from './recordedChain.ts'

/** What a node of recorded blocks answers; `head` and `paying` may change. */
export interface ReplayMethods {
  head: number
  paying: Paying
  /** The bytes of a result; null: the node has no such method. */
  answer(method: string, params: readonly unknown[]): Buffer | null
}

export function replayMethods(
  name: ReplayedChain,
  { head, paying, traces = false }: { head: number; paying: Paying; traces?: boolean },
): ReplayMethods {
  const { chainId, finalizedBehind } = replayedChains[name]
  const chain = recordedChain(name)
  const nothing = Buffer.from('null')

  const heightAt = (tag: string): number => {
    if (tag === 'latest') return methods.head
    return tag === 'finalized' ? methods.head - finalizedBehind : Number(tag)
  }
  const ifThere = (tag: unknown, answer: (height: number) => Buffer) => {
    const height = heightAt(tag as string)
    return height <= methods.head ? answer(height) : nothing
  }
  const methods: ReplayMethods = {
    head,
    paying,
    answer(method, [first, second]) {
      if (method === 'eth_chainId') return Buffer.from(JSON.stringify(chainId))
      if (method === 'eth_getBlockByNumber') return ifThere(first, (height) => (second ? chain.block : chain.header)(height, methods.paying))
      if (method === 'eth_getBlockReceipts') return ifThere(first, (height) => chain.receipts(height, methods.paying))
      if (method === 'debug_traceBlockByHash' && traces) return chain.traces(heightOf(first as string))
      return null
    },
  }
  return methods
}
