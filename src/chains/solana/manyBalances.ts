import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { PastBalances } from '../sending.ts'
import { accountsOf, tokenAccountOf } from './chainState.ts'
import { sweptAccount } from './send/sweepActions.ts'

/**
 * Confirmed balances of many addresses. Of each token only the associated account counts: an owner's other
 * accounts would take a call for each owner.
 */
export async function manyBalancesBy(
  rpc: JsonRpc,
  addresses: readonly string[],
  contracts: readonly string[],
): Promise<PastBalances[]> {
  const of = 1 + contracts.length
  const accounts = await accountsOf(
    rpc,
    addresses.flatMap((address) => [
      address,
      ...contracts.map((contract) => sweptAccount(address, { contract })),
    ]),
  )
  return addresses.map((_, index) => {
    const [own = null, ...held] = accounts.slice(index * of, (index + 1) * of)
    return {
      native: own?.lamports ?? 0n,
      tokens: held.map((account) => tokenAccountOf(account)?.amount ?? 0n),
    }
  })
}
