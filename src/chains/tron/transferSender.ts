import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { TransferSender } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'
import { type Prices, readPrices } from './fees.ts'
import { planTransfer } from './planTransfer.ts'
import { transferOutcome } from './transferOutcome.ts'

/** The committee changes prices by votes that take days, and each change is announced. */
const pricesKeptMs = 300_000

/** Sends by java-tron's HTTP API. Transactions of one address have no order among them: there is no sequence. */
export function tronTransferSender({ providers, chain }: { providers: Providers<Rest>; chain: ConfiguredChain }): TransferSender {
  let kept: { prices: Prices; until: number } | null = null
  const prices = async (rest: Rest): Promise<Prices> => {
    if (kept && kept.until > Date.now()) return kept.prices
    const read = await readPrices(rest)
    kept = { prices: read, until: Date.now() + pricesKeptMs }
    return read
  }
  return {
    plan: (intent) => planTransfer({ providers, chain, prices }, intent),
    broadcast: (transaction) => broadcastTransfer(providers, transaction),
    outcome: (_from, transactions) => transferOutcome({ providers, chain }, transactions),
  }
}
