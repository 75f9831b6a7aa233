import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { type TransferIntent, TransferRefused } from '../sending.ts'
import { accountOf, wholeOf } from './chainState.ts'
import { wordsOf } from './errors.ts'
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
 * Runs the transfer at the node, unsigned and without effect.
 * @returns the limit of compute units to ask for, and the rent that it pays
 * @throws TransferRefused with what the programs say
 */
export async function simulateTransfer(
  rpc: JsonRpc,
  intent: TransferIntent,
  draft: SolanaTerms,
  { destinationAddress, prefunded }: Pick<TransferState, 'destinationAddress' | 'prefunded'>,
): Promise<{ computeUnits: number; rent: bigint }> {
  const { payload } = solanaTransferBuilder().unsigned(intent, writeTerms(draft), null)
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
  if (!value || value.err === undefined) throw new ProviderError(`${rpc.name} does not tell how the transfer would end`)
  // It named this blockhash a moment ago: there are several nodes behind this name.
  if (value.err === 'BlockhashNotFound') throw new ProviderError(`${rpc.name} does not know its own blockhash`)
  if (value.err !== null) throw new TransferRefused('simulation_failed', `the transfer would fail: ${wordsOf(value.err, value.logs)}`)
  const [opened] = Array.isArray(value.accounts) ? value.accounts.map((each) => accountOf(rpc, each)) : []
  return {
    computeUnits: limitFor(Number(wholeOf(rpc, 'compute units of a trial', value.unitsConsumed))),
    rent: draft.opensAccount && opened ? opened.lamports - prefunded : draft.rent,
  }
}

/** A fifth more than the trial took, and some: the accounts may be others by then. What is not taken is paid for, too. */
const limitFor = (taken: number): number => Math.ceil(taken * 1.2) + 1000
