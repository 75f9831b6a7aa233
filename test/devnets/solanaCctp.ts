import { PublicKey } from '@solana/web3.js'
import { type Hex, toHex } from 'viem'
import type { SentMessage } from './attest.ts'
import {
  attesters,
  type CctpPeer,
  cctpDomains,
  tokenMessenger as evmMessenger,
  hasRoute,
  word,
} from './cctp.ts'
import type { EvmDevnet } from './evm.ts'
import { tokenMessenger } from './solana/cctpState.ts'
import type { SolanaDevnet } from './solana.ts'

/**
 * Circle's programs on the Solana devnet, linked with the contracts on the EVM devnets. Shares no code with
 * our client.
 */

const wordOf = (address: string): Hex => toHex(Uint8Array.from(new PublicKey(address).toBytes()))

/** The Solana devnet as the others know it. */
export const solanaPeer = ({ usdc }: Pick<SolanaDevnet, 'usdc'>): CctpPeer => ({
  domain: cctpDomains.solana,
  tokenMessenger: wordOf(tokenMessenger.toBase58()),
  usdc: wordOf(usdc),
})

/** @returns the variables that make Cowry use them */
export async function startSolanaCctp(
  devnet: Pick<SolanaDevnet, 'control'>,
  others: readonly EvmDevnet[],
): Promise<Record<string, string>> {
  const peers = others.flatMap(({ chain, usdc }) =>
    hasRoute(chain)
      ? [{ domain: cctpDomains[chain], tokenMessenger: word(evmMessenger), usdc: word(usdc) }]
      : [],
  )
  const { table } = await devnet.control<{ table: string }>('cctp', {
    attesters: attesters.map(({ address }) => address.toLowerCase()),
    peers,
  })
  return { SOLANA_CCTP_LOOKUP_TABLE: table }
}

async function rpc<T>(url: string, method: string, params: unknown[]): Promise<T | null> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { result?: T | null }
  return result ?? null
}

export const solanaHead = async (rpcUrl: string): Promise<bigint> =>
  BigInt((await rpc<number>(rpcUrl, 'getSlot', [{ commitment: 'confirmed' }])) ?? 0)

/** Of the event account, among the accounts of a burn. */
const eventPlace = 11
/** Where an event account keeps its message. */
const messageAt = 52

interface Sent {
  slot: number
  meta: { err: unknown }
  transaction: {
    message: { accountKeys: string[]; instructions: { programIdIndex: number; accounts: number[] }[] }
  }
}

/** Messages that a transaction has sent, in order; null for an unknown transaction. */
export async function solanaMessagesSent(rpcUrl: string, txHash: string): Promise<SentMessage[] | null> {
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
  const found = await rpc<Sent>(rpcUrl, 'getTransaction', [txHash, options])
  if (!found || found.meta.err !== null) return null
  const { accountKeys, instructions } = found.transaction.message
  const burns = instructions.filter(
    ({ programIdIndex }) => accountKeys[programIdIndex] === tokenMessenger.toBase58(),
  )
  const messages = await Promise.all(
    burns.map(async ({ accounts }): Promise<SentMessage[]> => {
      const event = accountKeys[accounts[eventPlace] ?? -1]
      const answered = await rpc<{ value: { data: [string] } | null }>(rpcUrl, 'getAccountInfo', [
        event,
        { commitment: 'confirmed', encoding: 'base64' },
      ])
      if (!answered?.value) return []
      const data = Buffer.from(answered.value.data[0], 'base64')
      const message = toHex(Uint8Array.from(data.subarray(messageAt)))
      return [{ message, blockNumber: BigInt(found.slot), logIndex: 0 }]
    }),
  )
  return messages.flat()
}
