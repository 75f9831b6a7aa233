import type { Collection, CollectionStatus } from './collection.ts'
import { failingAddresses } from './cryptoNetworks.ts'

/** A transfer of a settlement, that a test carries out on a chain. */
export interface SettlementTransfer {
  collectionId: string
  sequenceId: string
  address: string
  tag: string | null
  /** Their names: `USDC`, `SOL`. */
  currency: string
  network: string
  /** What the collection states. */
  cryptoAmount: string
  /** The same, cut to the six places of the tokens. */
  amount: string
}

/** Answers with the transaction's id. A rejection is a transfer that failed. */
export type Pay = (transfer: SettlementTransfer) => Promise<string>

interface Context {
  /** Null: the transfer is only stated. */
  pay(transfer: SettlementTransfer): Promise<string | null>
  /** Whether the collection's own status shows the transfer. */
  showsStatus(): boolean
  moved(collection: Collection): void
  enter(collection: Collection, status: CollectionStatus, errorCode?: string | null): void
}

export interface Settling {
  begin(collection: Collection): void
  ended(): Promise<void>
}

/**
 * The crypto side of collections (docs/direct-settlement). Of a transfer that fails, the local money goes
 * back (docs/events-widget).
 */
export function createSettling(ctx: Context): Settling {
  const underWay = new Set<Promise<void>>()

  async function send(collection: Collection): Promise<void> {
    const { settlement } = collection
    if (!settlement) return
    const isStated = (status: 'settlement_pending' | 'settlement_processing' | 'settlement_complete') => {
      if (ctx.showsStatus()) ctx.enter(collection, status)
    }
    settlement.status = 'pending'
    ctx.moved(collection)
    isStated('settlement_pending')
    try {
      if (failingAddresses.has(settlement.walletAddress)) throw new Error('a sandbox address that fails')
      isStated('settlement_processing')
      settlement.txHash = await ctx.pay(transferOf(collection, settlement))
      settlement.status = 'complete'
      ctx.moved(collection)
      isStated('settlement_complete')
    } catch {
      settlement.status = 'failed'
      ctx.moved(collection)
      ctx.enter(collection, ctx.showsStatus() ? 'settlement_failed' : 'failed', 'PROVIDER_ERROR')
      ctx.enter(collection, 'pending_refund')
    }
  }

  return {
    begin(collection) {
      const sending = send(collection)
      underWay.add(sending)
      void sending.finally(() => underWay.delete(sending))
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function transferOf(
  { id, sequenceId }: Collection,
  settlement: NonNullable<Collection['settlement']>,
): SettlementTransfer {
  const { walletAddress, walletTag = null, cryptoCurrency, cryptoNetwork, amount } = settlement
  const [whole, fraction = ''] = amount.split('.')
  const cut = fraction.slice(0, 6).replace(/0+$/, '')
  return {
    collectionId: id,
    sequenceId,
    address: walletAddress,
    tag: walletTag,
    currency: cryptoCurrency,
    network: cryptoNetwork,
    cryptoAmount: amount,
    amount: cut === '' ? String(whole) : `${whole}.${cut}`,
  }
}
