import type { Action, TransferSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { ActionRefusedError } from '../../sending.ts'
import { type Account, accountOf, wholeNumber } from '../chainState.ts'
import { describeError } from '../errors.ts'
import { commitment } from '../read/header.ts'
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
 * Simulates an unsigned transaction at the node.
 * @param addresses accounts whose state after it is returned, in their order; empty if the node leaves them
 * out
 * @returns the compute unit limit to request, and these accounts
 * @throws ActionRefusedError with the programs' error
 */
export async function simulate(
  rpc: JsonRpc,
  action: Action,
  draft: SolanaTerms,
  addresses: readonly string[],
): Promise<{ computeUnits: number; after: (Account | null)[] }> {
  const { payload } = solanaTransferBuilder().unsigned(action, writeTerms(draft), null)
  const answered = (await rpc.call('simulateTransaction', [
    payload,
    {
      encoding: 'base64',
      commitment,
      sigVerify: false,
      replaceRecentBlockhash: false,
      ...(addresses.length > 0 ? { accounts: { encoding: 'base64', addresses } } : {}),
    },
  ])) as { value?: Simulation } | null
  const value = answered?.value
  if (!value || value.err === undefined)
    throw new ProviderError(`${rpc.name} returned no result of the simulation`)
  // It returned this blockhash a moment ago: several nodes answer under this name.
  if (value.err === 'BlockhashNotFound')
    throw new ProviderError(`${rpc.name} does not know the blockhash that it returned`)
  const what = action.kind === 'transfer' ? 'transfer' : 'transaction'
  if (value.err !== null)
    throw refusalOf(`the ${what} would fail: ${describeError(value.err, value.logs)}`, value.logs)
  return {
    computeUnits: limitFor(Number(wholeNumber(rpc, 'compute units of the simulation', value.unitsConsumed))),
    after: Array.isArray(value.accounts) ? value.accounts.map((each) => accountOf(rpc, each)) : [],
  }
}

/** An account has fewer lamports than an instruction takes from it. */
export class InsufficientLamportsError extends ActionRefusedError {
  override readonly code = 'insufficient_lamports'
  readonly missing: bigint
  constructor(message: string, missing: bigint) {
    super('simulation_failed', message)
    this.missing = missing
  }
}

/**
 * The log of the system program (agave, `system_processor.rs`), also where it is called by another program.
 */
const short = /^Transfer: insufficient lamports (\d+), need (\d+)$/

function refusalOf(message: string, logs: unknown): ActionRefusedError {
  const [, held, needed] =
    (Array.isArray(logs) ? logs : [])
      .map((line) => short.exec(String(line)))
      .find((found) => found !== null) ?? []
  return held && needed
    ? new InsufficientLamportsError(message, BigInt(needed) - BigInt(held))
    : new ActionRefusedError('simulation_failed', message)
}

/** Simulates a transfer. @returns the compute unit limit to request, and the rent that it pays */
export async function simulateTransfer(
  rpc: JsonRpc,
  transfer: TransferSpec,
  draft: SolanaTerms,
  { destinationAddress, prefunded }: Pick<TransferState, 'destinationAddress' | 'prefunded'>,
): Promise<{ computeUnits: number; rent: bigint }> {
  const watched = draft.opensAccount && destinationAddress !== null ? [destinationAddress] : []
  const { computeUnits, after } = await simulate(rpc, transfer, draft, watched)
  const [opened] = after
  return { computeUnits, rent: draft.opensAccount && opened ? opened.lamports - prefunded : draft.rent }
}

/** Some more than the simulation took: the accounts may change until then. Unused units are paid for, too. */
const limitFor = (used: number): number => Math.ceil(used * 1.2) + 1000
