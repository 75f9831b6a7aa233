import { ExtensionType, getExtensionData, TransferFeeConfigLayout } from '@solana/spl-token'
import { refuseKeylessRecipient } from '../../keylessAddress.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { ActionPlan } from '../../sending.ts'
import {
  BusyTrialError,
  type SolanaMint,
  type SolanaSwapping,
  type SwapTrial,
  UnsafeTrialError,
} from '../../solanaSwapping.ts'
import { accountsOf, type Mint, mintOf, tokenAccountOf } from '../chainState.ts'
import { isCredited, type Run } from '../read/isCredited.ts'
import { agreedTables } from './agreedTables.ts'
import { planAtNode } from './latestBlockhash.ts'
import { planCallsBy, type State } from './planCalls.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { type Proof, proveSwap, wrappedAccount } from './swapProof.ts'
import { type TableUse, tableUses } from './tableUses.ts'
import { requireWallet } from './transferRules.ts'

/** Trial runs of swaps on Solana. */
export const solanaSwapping = (ctx: SolanaSenderContext): SolanaSwapping => ({
  family: 'solana',
  mint: (address) => readMint(ctx, address),
  // An address that was only paid SOL is not opened.
  exists: async (address) =>
    (
      await ctx.providers.ask(async (rpc) => ({
        found: tokenAccountOf((await accountsOf(rpc, [address]))[0] ?? null),
      }))
    )?.found !== null,
  async tryAndPlan(trial) {
    const names = [...trial.tables.keys()]
    const lookupTables = usesOf(trial, names.length > 0 ? await agreedTables(ctx, names) : new Map())
    return planAtNode(ctx, (rpc, newest) => tryRepeatedly(rpc, ctx.chain, { ...trial, lookupTables }, newest))
  },
})

async function readMint(
  { providers, chain }: SolanaSenderContext,
  address: string,
): Promise<SolanaMint | null> {
  const answered = await providers.ask(async (rpc) => ({
    mint: mintOf((await accountsOf(rpc, [address]))[0] ?? null),
  }))
  const mint = answered?.mint
  if (!mint) return null
  const symbol = chain.tokens.find(({ contract }) => contract === address)?.symbol ?? address
  return {
    contract: address,
    symbol,
    decimals: mint.decimals,
    program: mint.program,
    takesFee: takesFee(mint),
  }
}

/** The rate may change at an epoch: both are stated (Token-2022, "Transfer Fees"). */
function takesFee({ tlvData }: Mint): boolean {
  const state = getExtensionData(ExtensionType.TransferFeeConfig, tlvData)
  if (state === null) return false
  const { olderTransferFee, newerTransferFee } = TransferFeeConfigLayout.decode(state)
  return olderTransferFee.transferFeeBasisPoints > 0 || newerTransferFee.transferFeeBasisPoints > 0
}

/**
 * A payment that arrives between the reading of the accounts and the run changes balances: such a run is
 * repeated.
 */
const maxTrials = 3

/** A trial, and what its transaction takes from lookup tables. */
type Prepared = Omit<SwapTrial, 'tables'> & { lookupTables: readonly TableUse[] }

async function tryRepeatedly(
  rpc: JsonRpc,
  chain: SolanaSenderContext['chain'],
  trial: Prepared,
  newest: number,
): Promise<Tried> {
  let unsafe: UnsafeTrialError | null = null
  for (let number = 0; number < maxTrials; number++) {
    const tried = await tryOnce(rpc, chain, trial, newest)
    if (!(tried instanceof UnsafeTrialError)) return tried
    if (!(tried instanceof BusyTrialError)) unsafe = tried
  }
  throw unsafe ?? new BusyTrialError()
}

interface Tried {
  plan: ActionPlan
  rent: bigint
}

/** @returns UnsafeTrialError where the run does not prove the swap; BusyTrialError where only a payment explains it */
async function tryOnce(
  rpc: JsonRpc,
  chain: SolanaSenderContext['chain'],
  trial: Prepared,
  newest: number,
): Promise<Tried | UnsafeTrialError> {
  const { action, to, lookupTables } = trial
  const { from } = action
  const [recipient = null] = await accountsOf(rpc, [to])
  if (to !== from) {
    refuseKeylessRecipient('solana', to)
    requireWallet(to, recipient, trial.bought.account !== null)
  }
  const proof: Proof = { ...trial, from }
  let rent = 0n
  let run: Run | null = null
  const costOf = (before: State, after: State, fee: bigint): bigint => {
    run = { before, after, fee }
    rent = proveSwap(proof, before, after, fee)
    return rent
  }
  const opens = [...trial.opens.map(({ address }) => address), wrappedAccount(from)]
  try {
    const plan = await planCallsBy(rpc, chain, action, newest, { lookupTables, opens, costOf })
    return { plan, rent }
  } catch (error) {
    if (!(error instanceof UnsafeTrialError) || run === null) throw error
    return (await isCredited(rpc, proof, run)) ? new BusyTrialError() : error
  }
}

/**
 * What the transaction takes from the tables as they are on the chain. @throws UnsafeTrialError if a table is
 * reported to have other addresses
 */
function usesOf(
  { action, tables, to, sold, bought }: SwapTrial,
  onChain: ReadonlyMap<string, readonly string[] | null>,
): TableUse[] {
  const read = new Map<string, readonly string[]>()
  for (const [table, stated] of tables) {
    const addresses = onChain.get(table)
    if (!addresses) throw new UnsafeTrialError('a lookup table that is not on the chain')
    // A table only grows: one that was read earlier is shorter. Only what both name is used.
    const common = Math.min(stated.length, addresses.length)
    if (stated.slice(0, common).some((address, index) => address !== addresses[index])) {
      throw new UnsafeTrialError('a lookup table with other addresses than were stated')
    }
    read.set(table, addresses.slice(0, common))
  }
  // Who pays and who gets is in the transaction itself.
  const own = new Set([action.from, to, sold.account, bought.account])
  const named = action.calls.flatMap(({ accounts }) => accounts.map(({ address }) => address))
  return tableUses(
    read,
    named.filter((address) => !own.has(address)),
  )
}
