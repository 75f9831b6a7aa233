import { ACCOUNT_SIZE } from '@solana/spl-token'
import type { CallsSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { ActionPlan, Shortage } from '../../sending.ts'
import { type Account, accountsOf, tokenAccountOf } from '../chainState.ts'
import { planAtNode, recentBlockhash, rentFor } from './latestBlockhash.ts'
import { fitsLegacy, ownTableUses } from './ownTable.ts'
import { priorityPrice } from './priorityPrice.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { InsufficientLamportsError, simulate } from './simulateTransfer.ts'
import type { TableUse } from './tableUses.ts'
import { feeFor, maxUnits, randomLimit, type SolanaTerms, spareUnits, writeTerms } from './terms.ts'
import { solanaTransferBuilder } from './transferBuilder.ts'

/** The chain's own limit for an instruction without one: used if a shortage prevents the simulation. */
const typicalUnits = 200_000

/** State of the accounts that calls name, by address. */
export type State = ReadonlyMap<string, Account | null>

/**
 * Plans calls: reads the state and simulates the whole transaction at one node. @throws ActionRefusedError,
 * ProviderError
 */
export async function planCalls(ctx: SolanaSenderContext, action: CallsSpec): Promise<ActionPlan> {
  // Without its table, its length is not known.
  if (ctx.chain.cctp?.lookupTable === undefined || fitsLegacy(action)) requireBuildable(action)
  return planAtNode(ctx, (rpc, newest) => planCallsBy(rpc, ctx.chain, action, newest, null))
}

/** Size and signers do not depend on the chain's state: refuse before a request to a node. */
function requireBuildable(action: CallsSpec): void {
  const anyBlockhash = '1'.repeat(32)
  solanaTransferBuilder().unsigned(
    action,
    writeTerms(draftOf(action, { blockhash: anyBlockhash, lastValidBlockHeight: 0n })),
    null,
  )
}

/** Without a priority fee: the units are known only after the simulation. */
function draftOf(
  { cosigners }: CallsSpec,
  latest: Pick<SolanaTerms, 'blockhash' | 'lastValidBlockHeight'>,
): SolanaTerms {
  const signatures = 1 + cosigners.length
  const fee = feeFor(maxUnits, 0n, signatures)
  return {
    ...latest,
    computeUnits: maxUnits,
    microLamports: 0n,
    tokenProgram: null,
    decimals: null,
    opensAccount: false,
    sources: null,
    lookupTables: null,
    signatures,
    rent: 0n,
    fee,
  }
}

/** Calls whose effect is checked before they are planned. */
export interface CheckedCalls {
  lookupTables: readonly TableUse[]
  /**
   * Token accounts that they open where these do not exist: the sender must hold their rent, at least that of
   * the classic program.
   */
  opens: readonly string[]
  /**
   * Compares the accounts that the calls name, before, with those that they write to, after a trial run that
   * took this fee.
   * @returns lamports that opening accounts costs the sender
   * @throws UnsafeTrialError
   */
  costOf(before: State, after: State, fee: bigint): bigint
}

/** Plans calls at one node. @param checked null: calls of the platform, in a legacy transaction */
export async function planCallsBy(
  rpc: JsonRpc,
  chain: SolanaSenderContext['chain'],
  action: CallsSpec,
  newest: number,
  checked: CheckedCalls | null,
): Promise<ActionPlan> {
  const { from } = action
  const writable = writableOf(action)
  const [latest, state, min, rentOfAccount, microLamports, ownTable] = await Promise.all([
    recentBlockhash(rpc, newest),
    readState(rpc, [
      ...(checked ? namedIn(action) : writable),
      ...action.spends.map(({ address }) => address),
    ]),
    rentFor(rpc, 0),
    checked ? rentFor(rpc, ACCOUNT_SIZE) : 0n,
    priorityPrice(rpc, writable),
    checked ? null : ownTableUses(rpc, chain.cctp?.lookupTable, action),
  ])
  const missing = checked?.opens.filter((address) => state.get(address) === null) ?? []
  const needs = spentBy(action, from) + BigInt(missing.length) * rentOfAccount
  const draft = { ...draftOf(action, latest), lookupTables: checked ? [...checked.lookupTables] : ownTable }
  const price = (needed: number): SolanaTerms => {
    const units = Math.min(needed, maxUnits - spareUnits)
    const fee = feeFor(units + spareUnits, microLamports, draft.signatures)
    return { ...draft, ...randomLimit(units, units + spareUnits, microLamports), fee }
  }
  /** @param leaves lamports that leave `from` on top of the fee; negative if it gains */
  const plan = (
    priced: SolanaTerms,
    leaves: bigint,
    shortages: readonly Shortage[],
    rent: bigint | null = null,
  ): ActionPlan => {
    const { fee } = priced
    const other = leaves - spentBy(action, from)
    const otherCosts = rent ?? (other > 0n ? other : 0n)
    return {
      terms: writeTerms({ ...priced, rent: otherCosts }),
      fee: { expected: fee, max: fee },
      otherCosts,
      shortages: [...shortages, ...shortOfFee(chain, lamportsOf(state, from), fee, leaves, min)],
    }
  }
  const shortages = shortagesOf(chain, action, state)
  const cannotPay = (fee: bigint) => lamportsOf(state, from) < fee + needs
  if (shortages.length > 0 || cannotPay(draft.fee))
    return plan(price(typicalUnits * action.calls.length), needs, shortages)
  const tried = await simulate(rpc, action, draft, checked ? [] : [from]).catch((error) => {
    if (checked === null && error instanceof InsufficientLamportsError) return error
    throw error
  })
  // Rent of accounts that the calls open: only the trial shows it.
  if (tried instanceof InsufficientLamportsError) {
    const available = lamportsOf(state, from)
    return plan(price(typicalUnits * action.calls.length), 0n, [
      { kind: 'native', ...chain.native, required: available + tried.missing, available },
    ])
  }
  const { computeUnits, after } = tried
  const priced = price(computeUnits)
  if (checked === null) {
    const [left] = after
    return plan(
      priced,
      left === undefined
        ? spentBy(action, from)
        : lamportsOf(state, from) - draft.fee - (left?.lamports ?? 0n),
      [],
    )
  }
  if (cannotPay(priced.fee)) return plan(priced, needs, [])
  // The very transaction that is signed: a program could behave differently in a draft.
  const last = await simulate(rpc, action, priced, writable)
  if (last.after.length < writable.length)
    throw new ProviderError(`${rpc.name} returned not all accounts of a simulation`)
  const stateAfter: State = new Map(
    writable.map((address, index) => [address, existing(last.after[index] ?? null)]),
  )
  const rent = checked.costOf(state, stateAfter, priced.fee)
  return plan(priced, lamportsOf(state, from) - priced.fee - lamportsOf(stateAfter, from), [], rent)
}

const namedIn = ({ from, calls }: CallsSpec): string[] => [
  from,
  ...calls.flatMap(({ accounts }) => accounts.map(({ address }) => address)),
]

/** The chain serializes transactions that write to the same account. */
export const writableOf = ({ from, calls }: CallsSpec): string[] => [
  ...new Set([
    from,
    ...calls.flatMap(({ accounts }) =>
      accounts.filter(({ writable }) => writable).map(({ address }) => address),
    ),
  ]),
]

export async function readState(rpc: JsonRpc, addresses: readonly string[]): Promise<State> {
  const unique = [...new Set(addresses)]
  const found = await accountsOf(rpc, unique)
  return new Map(unique.map((address, index) => [address, found[index] ?? null]))
}

/** A node reports a closed account as one without lamports. */
const existing = (account: Account | null): Account | null =>
  account && account.lamports > 0n ? account : null

const lamportsOf = (state: State, address: string): bigint => state.get(address)?.lamports ?? 0n

/** Stated native spends of an address, in lamports. */
const spentBy = ({ spends }: CallsSpec, owner: string): bigint =>
  spends.reduce(
    (sum, { address, token, amount }) => (token === null && address === owner ? sum + amount : sum),
    0n,
  )

/** What owners lack of their stated spends; for the sender's own lamports see `shortOfFee`. */
function shortagesOf(chain: SolanaSenderContext['chain'], action: CallsSpec, state: State): Shortage[] {
  const { from, spends } = action
  const groups = Map.groupBy(spends, ({ address, token }) => `${address} ${token?.contract ?? ''}`)
  return [...groups.values()].flatMap((flows): Shortage[] => {
    const [flow] = flows
    if (!flow || (flow.token === null && flow.address === from)) return []
    const { address, token } = flow
    const required = flows.reduce((sum, { amount }) => sum + amount, 0n)
    const available = token
      ? heldIn(state, writableOf(action), address, token.contract)
      : lamportsOf(state, address)
    if (available >= required) return []
    const unit = token ? { symbol: token.symbol, decimals: token.decimals } : chain.native
    return [{ kind: token ? 'token' : 'native', ...unit, required, available }]
  })
}

/** Tokens in the accounts that the calls can take from: an owner may have others. */
function heldIn(state: State, accounts: readonly string[], owner: string, mint: string): bigint {
  const held = accounts.map((address) => tokenAccountOf(state.get(address) ?? null))
  return held.reduce(
    (sum, each) => (each?.owner === owner && each.mint === mint ? sum + each.amount : sum),
    0n,
  )
}

/**
 * The sender's account must keep at least `min` or nothing at all, also after the fee alone was taken (Solana
 * docs, "Rent").
 * @param leaves lamports that leave it on top of the fee
 */
function shortOfFee(
  chain: SolanaSenderContext['chain'],
  available: bigint,
  fee: bigint,
  leaves: bigint,
  min: bigint,
): Shortage[] {
  const isAllowed = (lamports: bigint) => lamports === 0n || lamports >= min
  if (isAllowed(available - fee) && isAllowed(available - fee - leaves)) return []
  return [{ kind: 'native', ...chain.native, required: fee + (leaves > 0n ? leaves : 0n) + min, available }]
}
