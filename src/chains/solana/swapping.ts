import { ExtensionType, getExtensionData, TransferFeeConfigLayout } from '@solana/spl-token'
import { refuseKeylessRecipient } from '../keylessAddress.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { ActionPlan } from '../sending.ts'
import { type SolanaMint, type SolanaSwapping, type SwapTrial, UnsafeTrial } from '../solanaSwapping.ts'
import { accountsOf, type Mint, mintOf } from './chainState.ts'
import { planAtNode } from './latestBlockhash.ts'
import { tableAddresses } from './lookupTable.ts'
import { planCallsBy, type State } from './planCalls.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { proveSwap, wrappedAccount } from './swapProof.ts'
import { type TableUse, tableUses } from './tableUses.ts'
import { requireWallet } from './transferRules.ts'

/** Trial runs of swaps on Solana. */
export const solanaSwapping = (ctx: SolanaSenderContext): SolanaSwapping => ({
  family: 'solana',
  mint: (address) => readMint(ctx, address),
  tryAndPlan: (trial) => planAtNode(ctx, (rpc, newest) => tryRepeatedly(rpc, ctx.chain, trial, newest)),
})

async function readMint({ providers, chain }: SolanaSenderContext, address: string): Promise<SolanaMint | null> {
  const answered = await providers.ask(async (rpc) => ({ mint: mintOf((await accountsOf(rpc, [address]))[0] ?? null) }))
  const mint = answered?.mint
  if (!mint) return null
  const symbol = chain.tokens.find(({ contract }) => contract === address)?.symbol ?? address
  return { contract: address, symbol, decimals: mint.decimals, program: mint.program, takesFee: takesFee(mint) }
}

/** The rate may change at an epoch: both are stated (Token-2022, "Transfer Fees"). */
function takesFee({ tlvData }: Mint): boolean {
  const state = getExtensionData(ExtensionType.TransferFeeConfig, tlvData)
  if (state === null) return false
  const { olderTransferFee, newerTransferFee } = TransferFeeConfigLayout.decode(state)
  return olderTransferFee.transferFeeBasisPoints > 0 || newerTransferFee.transferFeeBasisPoints > 0
}

/** A payment that arrives between the reading of the accounts and the run changes balances: such a run is repeated. */
const maxTrials = 3

async function tryRepeatedly(rpc: JsonRpc, chain: SolanaSenderContext['chain'], trial: SwapTrial, newest: number): Promise<Tried> {
  for (let number = 1; ; number++) {
    try {
      return await tryOnce(rpc, chain, trial, newest)
    } catch (error) {
      if (!(error instanceof UnsafeTrial) || number === maxTrials) throw error
    }
  }
}

interface Tried {
  plan: ActionPlan
  rent: bigint
}

async function tryOnce(rpc: JsonRpc, chain: SolanaSenderContext['chain'], trial: SwapTrial, newest: number): Promise<Tried> {
  const { action, to } = trial
  const { from } = action
  const names = [...trial.tables.keys()]
  const [recipient = null, ...tables] = await accountsOf(rpc, [to, ...names])
  if (to !== from) {
    refuseKeylessRecipient('solana', to)
    requireWallet(to, recipient, trial.bought.account !== null)
  }
  const lookupTables = usesOf(trial, new Map(names.map((name, index) => [name, tableAddresses(tables[index] ?? null)])))
  let rent = 0n
  const costOf = (before: State, after: State, fee: bigint): bigint => {
    rent = proveSwap({ ...trial, from }, before, after, fee)
    return rent
  }
  const opens = [...trial.opens.map(({ address }) => address), wrappedAccount(from)]
  const plan = await planCallsBy(rpc, chain, action, newest, { lookupTables, opens, costOf })
  return { plan, rent }
}

/** What the transaction takes from the tables as they are on the chain. @throws UnsafeTrial if a table is said to have other addresses */
function usesOf({ action, tables, to, sold, bought }: SwapTrial, onChain: ReadonlyMap<string, readonly string[] | null>): TableUse[] {
  const read = new Map<string, readonly string[]>()
  for (const [table, stated] of tables) {
    const addresses = onChain.get(table)
    if (!addresses) throw new UnsafeTrial('a lookup table that is not on the chain')
    // A table only grows: one that was read earlier is shorter. Only what both name is used.
    const common = Math.min(stated.length, addresses.length)
    if (stated.slice(0, common).some((address, index) => address !== addresses[index])) {
      throw new UnsafeTrial('a lookup table with other addresses than were stated')
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
