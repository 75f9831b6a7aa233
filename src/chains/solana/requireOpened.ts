import { PublicKey } from '@solana/web3.js'
import { ProviderError } from '../chain.ts'
import { accountsOf } from './chainState.ts'
import type { SolanaSenderContext } from './send/senderContext.ts'
import { requireWallet } from './send/transferRules.ts'

/**
 * Reads a recipient at one node: it may be a mint, a program or a token account. No key signs for an address
 * off the curve, and only an account on the chain can belong to a program that does. One on the curve may
 * have a key: without an answer it passes, and is read again before money leaves.
 */
export async function requireOpened({ providers }: SolanaSenderContext, address: string): Promise<void> {
  const mayHaveKey = PublicKey.isOnCurve(address)
  const found = await providers
    .ask((rpc) => accountsOf(rpc, [address]))
    .catch((error: unknown) => {
      if (mayHaveKey && error instanceof ProviderError) return null
      throw error
    })
  if (found) requireWallet(address, found[0] ?? null, true)
  else if (!mayHaveKey) throw new ProviderError('no provider answered about the recipient')
}
