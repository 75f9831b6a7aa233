import {
  configuredChain,
  type Paying,
  type ReplayedChain,
  type ReplayedEvmChain,
  recordedChain,
  replayedChains,
} from './recordedChain.ts'
import { recordedSolana } from './recordedSolana.ts'
import type { SolanaDetails } from './solanaTransactions.ts'

/** Methods of a node of recorded blocks; `head` and `paying` may change. */
export interface ReplayMethods {
  head: number
  paying: Paying
  /** The bytes of a result; null: unknown method. */
  answer(method: string, params: readonly unknown[]): Buffer | null
  /** The notification of a new head to a subscriber. */
  announcement(): object
}

interface ReplayOptions {
  head: number
  paying: Paying
  traces?: boolean
}

export const replayMethods = (name: ReplayedChain, options: ReplayOptions): ReplayMethods =>
  name === 'solana' ? solanaMethods(options) : evmMethods(name, options)

/** Slots between the newest confirmed one and the newest finalized one. */
const solanaFinalizedBehind = 32

function solanaMethods({ head, paying }: ReplayOptions): ReplayMethods {
  const blockOf = recordedSolana()
  const methods: ReplayMethods = {
    head,
    paying,
    announcement: () => ({
      method: 'slotNotification',
      params: {
        result: { parent: methods.head - 1, root: methods.head - solanaFinalizedBehind, slot: methods.head },
      },
    }),
    answer(method, [first, options]) {
      if (method === 'getGenesisHash') return Buffer.from(JSON.stringify(configuredChain('solana').network))
      if (method === 'getSlot') {
        const { commitment } = first as { commitment: string }
        return Buffer.from(
          String(commitment === 'finalized' ? methods.head - solanaFinalizedBehind : methods.head),
        )
      }
      if (method === 'getBlocksWithLimit')
        return Buffer.from(JSON.stringify(Number(first) <= methods.head ? [first] : []))
      if (method !== 'getBlock' || Number(first) > methods.head) return null
      return blockOf(
        Number(first),
        (options as { transactionDetails: SolanaDetails }).transactionDetails,
        methods.paying,
      )
    },
  }
  return methods
}

function evmMethods(name: ReplayedEvmChain, { head, paying, traces = false }: ReplayOptions): ReplayMethods {
  const { chainId, finalizedBehind } = replayedChains[name]
  const chain = recordedChain(name)
  const nothing = Buffer.from('null')

  const heightAt = (tag: string): number => {
    if (tag === 'latest') return methods.head
    return tag === 'finalized' ? methods.head - finalizedBehind : Number(tag)
  }
  const ifMined = (tag: unknown, answer: (height: number) => Buffer) => {
    const height = heightAt(tag as string)
    return height <= methods.head ? answer(height) : nothing
  }
  const methods: ReplayMethods = {
    head,
    paying,
    announcement() {
      const { transactions: _, ...header } = JSON.parse(
        String(methods.answer('eth_getBlockByNumber', ['latest', false])),
      ) as {
        transactions: unknown
      }
      return { method: 'eth_subscription', params: { subscription: '0x1', result: header } }
    },
    answer(method, [first, second]) {
      if (method === 'eth_chainId') return Buffer.from(JSON.stringify(chainId))
      if (method === 'eth_getBlockByNumber')
        return ifMined(first, (height) => (second ? chain.block : chain.header)(height, methods.paying))
      if (method === 'eth_getBlockReceipts')
        return ifMined(first, (height) => chain.receipts(height, methods.paying))
      if (method === 'debug_traceBlockByHash' && traces) return chain.traces(first as string)
      return null
    },
  }
  return methods
}
