import { Connection, PublicKey } from '@solana/web3.js'
import type { ChainName } from '../../src/chains/registry.ts'
import { rpc } from '../devnets/evm.ts'
import { isOther } from './otherDevnets.ts'
import type { Payer } from './payers.ts'
import type { ApiAnswer, Stack } from './stack.ts'

/** A request's fields, good or bad. */
export type Body = Record<string, unknown>

/** The operations that send, or estimate a transfer. */
export const ways = ['tokens', 'estimate', 'prepare', 'wallet'] as const
export type Way = (typeof ways)[number]

/** Requests a transfer in one of the ways; `requested` may override the fields of the sender. */
export function ask<T>(
  stack: Pick<Stack, 'api'>,
  way: Way,
  from: Payer & { walletId?: string },
  requested: Body,
): Promise<ApiAnswer<T>> {
  const { chain, address, privateKey, walletId } = from
  if (way === 'wallet') return stack.api<T>('POST', `/crypto/wallets/${walletId}/transfers`, requested)
  const sender = way === 'tokens' ? { fromPrivateKey: privateKey } : { fromAddress: address }
  return stack.api<T>('POST', `/crypto/transfers/${way}`, { chain, ...sender, ...requested })
}

/**
 * Every row that a transfer could have left behind, on one chain or on all. The sequences of mined transfers
 * are left out: they end by themselves when the block is final.
 */
export async function rowsOfTransfers(
  { db }: Pick<Stack, 'db'>,
  chain: ChainName | null = null,
): Promise<Record<string, number>> {
  const [row] = await db.query<Record<string, number>>(
    `select (select count(*)::int from intents where chain = coalesce($1, chain)) as intents,
       (select count(*)::int from intent_attempts where chain = coalesce($1, chain)) as transactions,
       (select count(*)::int from intent_nonces s where chain = coalesce($1, chain) and not exists (
          select 1 from intents o where o.id = s.intent_id and o.block_height is not null)) as sequences,
       (select count(*)::int from prepared_transfers where chain = coalesce($1, chain)) as prepared,
       (select count(*)::int from events where $1::text is null or data->>'chain' = $1) as events`,
    [chain],
  )
  if (!row) throw new Error('no row')
  return row
}

/** Balances and sequence of an address, by the chain's own node; on EVM with pending transactions. */
export async function holdingsOn(stack: Stack, chain: ChainName, address: string): Promise<unknown> {
  if (!isOther(chain)) {
    const rpcUrl = stack.devnets.get(chain)?.rpcUrl ?? ''
    const [balance, nonce, pool] = await Promise.all([
      rpc(rpcUrl, 'eth_getBalance', [address, 'pending']),
      rpc(rpcUrl, 'eth_getTransactionCount', [address, 'pending']),
      rpc(rpcUrl, 'txpool_status', []),
    ])
    return { balance, nonce, pool }
  }
  if (chain === 'solana') {
    const connection = new Connection(stack.other(chain).rpcUrl, 'confirmed')
    const owner = new PublicKey(address)
    const [balance, signatures] = await Promise.all([
      connection.getBalance(owner),
      connection.getSignaturesForAddress(owner, {}, 'confirmed'),
    ])
    return { balance, signatures: signatures.length }
  }
  if (chain === 'tron') {
    const account = { method: 'POST', body: JSON.stringify({ address, visible: true }) }
    return (await fetch(`${stack.other(chain).rpcUrl}/wallet/getaccount`, account)).json()
  }
  const response = await fetch(`${stack.other(chain).horizonUrl}/accounts/${address}`)
  const { sequence, balances } = (await response.json()) as { sequence: string; balances: unknown }
  return { sequence, balances }
}
