import { PublicKey } from '@solana/web3.js'
import type { CallsSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { accountsOf } from '../chainState.ts'
import { budgetInstructions, callInstructions, maxBytes, transactionBytes } from './callInstructions.ts'
import { tableAddresses } from './lookupTable.ts'
import { type TableUse, tableUses } from './tableUses.ts'

/** Calls fit into a legacy transaction. */
export const fitsLegacy = (action: CallsSpec): boolean =>
  transactionBytes(new PublicKey(action.from), [...budgetInstructions, ...callInstructions(action)]) <=
  maxBytes

/**
 * What calls that are too long for a legacy transaction take from the operator's lookup table; null for
 * others. @throws ProviderError
 */
export async function ownTableUses(
  rpc: JsonRpc,
  table: string | undefined,
  action: CallsSpec,
): Promise<TableUse[] | null> {
  if (table === undefined || fitsLegacy(action)) return null
  const [account] = await accountsOf(rpc, [table])
  const addresses = tableAddresses(account ?? null)
  if (!addresses) throw new ProviderError(`${rpc.name} has no active lookup table at ${table}`)
  const named = action.calls.flatMap(({ accounts }) =>
    accounts.filter(({ signer }) => !signer).map(({ address }) => address),
  )
  const programs = new Set(action.calls.map(({ to }) => to))
  return tableUses(
    new Map([[table, addresses]]),
    named.filter((address) => !programs.has(address)),
  )
}
