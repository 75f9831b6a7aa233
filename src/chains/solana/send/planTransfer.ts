import { sumOf } from '../../../money/amount.ts'
import type { TransferSpec } from '../../action.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { ActionPlan, Shortage } from '../../sending.ts'
import { accountBytes } from '../chainState.ts'
import { drawable, type Source, sourcesFor } from '../tokenSources.ts'
import { planAtNode, recentBlockhash, rentFor } from './latestBlockhash.ts'
import { priorityPrice } from './priorityPrice.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { simulateTransfer } from './simulateTransfer.ts'
import { feeFor, maxUnits, randomLimit, type SolanaTerms, spareUnits, writeTerms } from './terms.ts'
import { requireTransferable } from './transferRules.ts'
import { readTransferState, type TransferState } from './transferState.ts'

/**
 * More than a transfer takes in practice. For SOL it is the limit itself: the fee is then constant, and an
 * account can be emptied to the lamport. For tokens it replaces the simulated units if the sender has a
 * shortage, and so nothing can be simulated.
 */
const typicalUnits = { native: 2_000, token: 20_000, opening: 60_000, furtherSource: 8_000 }

/** Plans a transfer: reads the state and simulates at one node. @throws ActionRefusedError, ProviderError */
export const planTransfer = (ctx: SolanaSenderContext, transfer: TransferSpec): Promise<ActionPlan> =>
  planAtNode(ctx, (rpc, newest) => planBy(rpc, ctx.chain, transfer, newest))

/** @param newest the highest last valid height that any node reports */
async function planBy(
  rpc: JsonRpc,
  chain: SolanaSenderContext['chain'],
  transfer: TransferSpec,
  newest: number,
): Promise<ActionPlan> {
  const [latest, state] = await Promise.all([recentBlockhash(rpc, newest), readTransferState(rpc, transfer)])
  const opensAccount = transfer.token !== null && state.destination === null
  const [min, rentOfAccount, microLamports] = await Promise.all([
    rentFor(rpc, 0),
    state.mint && opensAccount ? rentFor(rpc, accountBytes(state.mint)) : 0n,
    priorityPrice(rpc, state.writable),
  ])
  requireTransferable(transfer, state, min)
  const sources = sourcesFor(state.held, transfer.amount)
  const draft: SolanaTerms = {
    ...latest,
    // Simulate a token transfer without a priority fee: its units are known only afterwards.
    ...(transfer.token
      ? { computeUnits: maxUnits, microLamports: 0n }
      : { computeUnits: typicalUnits.native, microLamports }),
    tokenProgram: state.mint?.program ?? null,
    decimals: state.mint?.decimals ?? null,
    opensAccount,
    sources: furtherSources(state, sources),
    lookupTables: null,
    signatures: 1,
    rent: rentOfAccount > state.prefunded ? rentOfAccount - state.prefunded : 0n,
    fee: transfer.token ? feeFor(maxUnits, 0n) : feeFor(typicalUnits.native, microLamports),
  }
  /** @param paid units that the fee covers; `needed` of them are enough */
  const plan = (needed: number, paid: number, rent: bigint): ActionPlan => {
    const fee = feeFor(paid, microLamports)
    const shortages = shortagesOf(chain, transfer, state, { fee, rent, min })
    const terms = writeTerms({ ...draft, ...randomLimit(needed, paid, microLamports), rent, fee })
    return { terms, fee: { expected: fee, max: fee }, otherCosts: rent, shortages }
  }
  if (shortagesOf(chain, transfer, state, { ...draft, min }).length > 0) {
    const typical = unitsWithoutSimulation(transfer, opensAccount, sources)
    return plan(typical - spareUnits, typical, draft.rent)
  }
  const simulated = await simulateTransfer(rpc, transfer, draft, state)
  if (transfer.token) return plan(simulated.computeUnits, simulated.computeUnits + spareUnits, simulated.rent)
  const max = Math.max(simulated.computeUnits, typicalUnits.native)
  return plan(Math.max(simulated.computeUnits, max - spareUnits), max, simulated.rent)
}

/** Null where the associated account alone is drawn on, as in terms of earlier versions. */
function furtherSources({ held }: TransferState, sources: readonly Source[]): Source[] | null {
  const associated = held.find(({ isAssociated }) => isAssociated)?.address
  return sources.some(({ address }) => address !== associated) ? [...sources] : null
}

function unitsWithoutSimulation(
  { token }: TransferSpec,
  opensAccount: boolean,
  sources: readonly Source[],
): number {
  if (!token) return typicalUnits.native
  const further = Math.max(0, sources.length - 1) * typicalUnits.furtherSource
  return further + (opensAccount ? typicalUnits.opening : typicalUnits.token)
}

interface Costs {
  fee: bigint
  rent: bigint
  /** Rent-exempt minimum of an account without data. */
  min: bigint
}

/**
 * The sender's shortages. Its account must keep at least `min` or nothing at all, also after the fee alone
 * was taken (Solana docs, "Rent": a transaction that leaves less is refused).
 */
function shortagesOf(
  chain: SolanaSenderContext['chain'],
  { token, amount }: TransferSpec,
  state: TransferState,
  { fee, rent, min }: Costs,
): Shortage[] {
  const shortages: Shortage[] = []
  const [tokens, held] = [sumOf(drawable(state.held)), sumOf(state.held)]
  if (token && tokens < amount) {
    shortages.push({
      kind: 'token',
      symbol: token.symbol,
      decimals: token.decimals,
      required: amount,
      available: tokens,
      ...(held > tokens && { held }),
    })
  }
  const available = state.from?.lamports ?? 0n
  const leaves = token ? rent : amount
  const isAllowed = (lamports: bigint) => lamports === 0n || lamports >= min
  if (!isAllowed(available - fee) || !isAllowed(available - fee - leaves)) {
    shortages.push({ kind: 'native', ...chain.native, required: fee + leaves + min, available })
  }
  return shortages
}
