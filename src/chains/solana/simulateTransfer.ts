import type { TransferSpec } from '../action.ts'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { ActionRefused } from '../sending.ts'
import { accountOf, wholeNumber } from './chainState.ts'
import { describeError } from './errors.ts'
import { commitment } from './header.ts'
import { type SolanaTerms, writeTerms } from './terms.ts'
import { solanaTransferBuilder } from './transferBuilder.ts'
import type { TransferState } from './transferState.ts'

interface Simulation {
  err?: unknown
  logs?: unknown
  unitsConsumed?: unknown
  accounts?: unknown
}

/**
 * Simulates the unsigned transfer at the node.
 * @returns the compute unit limit to request, and the rent that it pays
 * @throws ActionRefused with the programs' error
 */
export async function simulateTransfer(
  rpc: JsonRpc,
  transfer: TransferSpec,
  draft: SolanaTerms,
  { destinationAddress, prefunded }: Pick<TransferState, 'destinationAddress' | 'prefunded'>,
): Promise<{ computeUnits: number; rent: bigint }> {
  const { payload } = solanaTransferBuilder().unsigned(transfer, writeTerms(draft), null)
  const answered = (await rpc.call('simulateTransaction', [
    payload,
    {
      encoding: 'base64',
      commitment,
      sigVerify: false,
      replaceRecentBlockhash: false,
      ...(draft.opensAccount ? { accounts: { encoding: 'base64', addresses: [destinationAddress] } } : {}),
    },
  ])) as { value?: Simulation } | null
  const value = answered?.value
  if (!value || value.err === undefined) throw new ProviderError(`${rpc.name} returned no result of the simulation`)
  // It returned this blockhash a moment ago: several nodes answer under this name.
  if (value.err === 'BlockhashNotFound') throw new ProviderError(`${rpc.name} does not know the blockhash that it returned`)
  if (value.err !== null) throw new ActionRefused('simulation_failed', `the transfer would fail: ${describeError(value.err, value.logs)}`)
  const [opened] = Array.isArray(value.accounts) ? value.accounts.map((each) => accountOf(rpc, each)) : []
  return {
    computeUnits: limitFor(Number(wholeNumber(rpc, 'compute units of the simulation', value.unitsConsumed))),
    rent: draft.opensAccount && opened ? opened.lamports - prefunded : draft.rent,
  }
}

/** Some more than the simulation took: the accounts may change until then. Unused units are paid for, too. */
const limitFor = (used: number): number => Math.ceil(used * 1.2) + 1000
