import type { ChainName } from '../../src/chains/registry.ts'
import { payOnEvm } from '../../test/devnets/customers/evm.ts'
import { payOnSolana } from '../../test/devnets/customers/solana.ts'
import { payOnStellar } from '../../test/devnets/customers/stellar.ts'
import { payOnTron } from '../../test/devnets/customers/tron.ts'

/** A devnet of `npm start`, as `dev.json` names it. */
export interface PayableDevnet {
  rpcUrl: string
  faucetPrivateKey: string
  usdc?: string
  usdt?: string
  decimals: number
  /** Stellar only. */
  networkPassphrase?: string
}

/** What a session asks its customer for. */
export interface DevnetOrder {
  address: string
  memo?: string | undefined
  token: string
  amount: string
}

/**
 * Pays a session as its customer, from the devnet's own funds and with the chain's own public library.
 * @returns the transaction's id
 */
export function payDevnet(
  chain: ChainName,
  devnet: PayableDevnet,
  { address, memo, token: symbol, amount }: DevnetOrder,
): Promise<string> {
  const token = symbol === 'USDT' ? devnet.usdt : devnet.usdc
  if (token === undefined) throw new Error(`the devnet of ${chain} has no ${symbol}`)
  const order = { address, memo, token, amount, decimals: devnet.decimals }
  if (chain === 'solana') return payOnSolana(devnet, order)
  if (chain === 'tron') return payOnTron(devnet, order)
  if (chain === 'stellar')
    return payOnStellar({ ...devnet, networkPassphrase: devnet.networkPassphrase ?? '' }, order)
  return payOnEvm(chain, devnet, order)
}
