import { setTimeout as delay } from 'node:timers/promises'
import type { Order, Purse } from '../../devnets/customers/order.ts'
import type { Pay, SettlementTransfer } from './settling.ts'

/** A devnet's account that holds plenty of its tokens. */
export interface DevnetPurse extends Purse {
  usdc?: string
  usdt?: string | null
  decimals: number
  /** Stellar only. */
  networkPassphrase?: string
}

type SendingChain = 'ethereum' | 'base' | 'polygon' | 'solana' | 'tron' | 'stellar'

/** The chains of their networks. */
const chains: Readonly<Record<string, SendingChain>> = {
  ERC20: 'ethereum',
  BASE: 'base',
  POLYGON: 'polygon',
  SOL: 'solana',
  TRC20: 'tron',
  XLM: 'stellar',
}

/**
 * How often a transfer is tried that the chain refused: an account on Stellar has one transaction in a
 * ledger.
 */
const tries = 10

/** Settles on devnets, one transfer after the other: an account's transactions are numbered. */
export function payOnDevnets(purses: { readonly [chain: string]: DevnetPurse | undefined }): Pay {
  let last: Promise<unknown> = Promise.resolve()
  return (transfer) => {
    const sending = last.then(() => send(purses, transfer))
    last = sending.catch(() => {})
    return sending
  }
}

async function send(
  purses: { readonly [chain: string]: DevnetPurse | undefined },
  transfer: SettlementTransfer,
): Promise<string> {
  const chain = chains[transfer.network]
  const purse = chain && purses[chain]
  const token = transfer.currency === 'USDC' ? purse?.usdc : purse?.usdt
  if (!chain || !purse || !token) throw new Error(`no devnet has ${transfer.currency} on ${transfer.network}`)
  const { address, tag, amount } = transfer
  const order: Order = {
    address,
    token,
    amount,
    decimals: purse.decimals,
    ...(tag !== null && { memo: tag }),
  }
  for (let left = tries; ; left--) {
    try {
      return await payers[chain](purse, order)
    } catch (error) {
      if (left === 0 || !String(error).includes('refused')) throw error
      await delay(500)
    }
  }
}

const onEvm = (chain: 'ethereum' | 'base' | 'polygon') => async (purse: DevnetPurse, order: Order) =>
  (await import('../../devnets/customers/evm.ts')).payOnEvm(chain, purse, order)

const payers: Record<SendingChain, (purse: DevnetPurse, order: Order) => Promise<string>> = {
  ethereum: onEvm('ethereum'),
  base: onEvm('base'),
  polygon: onEvm('polygon'),
  solana: async (purse, order) =>
    (await import('../../devnets/customers/solana.ts')).payOnSolana(purse, order),
  tron: async (purse, order) => (await import('../../devnets/customers/tron.ts')).payOnTron(purse, order),
  stellar: async (purse, order) => {
    const { payOnStellar } = await import('../../devnets/customers/stellar.ts')
    return payOnStellar({ ...purse, networkPassphrase: purse.networkPassphrase ?? '' }, order)
  },
}
