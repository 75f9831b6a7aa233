import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { ActionSender } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'
import { type Prices, readPrices } from './fees.ts'
import { planCall } from './planCall.ts'
import { planTransfer } from './planTransfer.ts'
import { transferOutcome } from './transferOutcome.ts'

/** The committee changes prices by votes that take days, and announces each change. */
const priceTtlMs = 300_000

/** Sends through java-tron's HTTP API. Transactions have no nonce: those of one address are in no order. */
export function tronTransferSender({ providers, chain }: { providers: Providers<Rest>; chain: ConfiguredChain }): ActionSender {
  let cached: { prices: Prices; until: number } | null = null
  const prices = async (rest: Rest): Promise<Prices> => {
    if (cached && cached.until > Date.now()) return cached.prices
    const read = await readPrices(rest)
    cached = { prices: read, until: Date.now() + priceTtlMs }
    return read
  }
  const ctx = { providers, chain, prices }
  return {
    plan: (action) => (action.kind === 'calls' ? planCall(ctx, action) : planTransfer(ctx, action)),
    broadcast: (transaction) => broadcastTransfer(providers, transaction),
    outcome: (_from, transactions) => transferOutcome({ providers, chain }, transactions),
  }
}
