import { PublicKey } from '@solana/web3.js'
import { ProviderError } from '../chain.ts'
import { accountsOf } from './chainState.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { requireWallet } from './transferRules.ts'

/** Reads an address off the curve at one node: no key signs for it, and only an account on the chain can belong to a program that does. */
export async function requireOpened({ providers }: SolanaSenderContext, address: string): Promise<void> {
  if (PublicKey.isOnCurve(address)) return
  const found = await providers.ask((rpc) => accountsOf(rpc, [address]))
  if (!found) throw new ProviderError('no provider answered about the recipient')
  requireWallet(address, found[0] ?? null, true)
}
