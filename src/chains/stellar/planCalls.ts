import { type Asset, Operation, type xdr } from '@stellar/stellar-sdk/base'
import type { CallsSpec } from '../action.ts'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { Chain } from '../registry.ts'
import { type ActionPlan, ActionRefusedError, type Shortage } from '../sending.ts'
import { unmuxed } from './address.ts'
import { issuerOf } from './asset.ts'
import { bidsOf, lifetimeSeconds } from './bids.ts'
import { type CallOperation, callOperations } from './callOperations.ts'
import { latestLedger, requireCloseTime } from './latestLedger.ts'
import {
  accountKey,
  accountState,
  dataKey,
  freeOf,
  type LedgerEntries,
  ledgerEntries,
  maxKeys,
  trustlineKey,
  trustlineState,
} from './ledgerEntries.ts'
import type { StellarTerms } from './terms.ts'
import { memoRequiredEntry, recentFees, requiresMemo } from './transferFacts.ts'

/**
 * Plans calls. There is no trial run of operations on Stellar: this checks signers, the recipients of
 * payments, and the stated spends. An operation may still fail in its ledger, for lack of a trustline, of an
 * offer, or of a reserve; then no operation has an effect, and the fee is paid.
 * @throws ActionRefusedError, ProviderError
 */
export async function planCalls(
  providers: Providers<JsonRpc>,
  chain: Pick<Chain, 'native'>,
  action: CallsSpec,
): Promise<ActionPlan> {
  const operations = callOperations(action)
  const facts = await providers.ask(async (rpc) => {
    const read = await Promise.all([
      readEntries(rpc, keysOf(action, operations)),
      latestLedger(rpc),
      recentFees(rpc),
    ])
    await requireCloseTime(providers, rpc, read[1])
    return read
  })
  if (!facts) throw new ProviderError('no provider could plan the transaction')
  const [found, { closeTime, baseReserve }, fees] = facts
  refuseOperations(action, operations, found)
  const { usual, bid } = bidsOf(fees)
  const count = BigInt(operations.length)
  const max = bid * count
  const terms: StellarTerms = {
    fee: max.toString(),
    minTime: 0,
    maxTime: closeTime + lifetimeSeconds,
    creates: false,
  }
  const shortages = shortagesOf(chain, action, found, { fee: max, baseReserve })
  return { terms, fee: { expected: usual * count, max }, otherCosts: 0n, shortages }
}

interface Payee {
  account: string
  muxed: boolean
  /** `CODE:ISSUER`; null for lumens. */
  asset: string | null
}

/** The recipient of a payment; null for other operations. */
function payeeOf(operation: xdr.Operation): Payee | null {
  const read = Operation.fromXdrObject(operation)
  if (read.type === 'payment') return payee(read.destination, read.asset)
  return read.type === 'pathPaymentStrictReceive' || read.type === 'pathPaymentStrictSend'
    ? payee(read.destination, read.destAsset)
    : null
}

function payee(address: string, asset: Asset): Payee {
  return {
    account: unmuxed(address).account,
    muxed: address.startsWith('M'),
    asset: asset.isNative() ? null : asset.toString(),
  }
}

/** The account that an operation opens; null if it opens no account. */
function openedBy(operation: xdr.Operation): string | null {
  const read = Operation.fromXdrObject(operation)
  return read.type === 'createAccount' ? read.destination : null
}

function keysOf({ from, spends }: CallsSpec, operations: readonly CallOperation[]): string[] {
  const payees = operations.flatMap(({ operation }) => payeeOf(operation) ?? [])
  return [
    accountKey(unmuxed(from).account),
    ...operations.map(({ source }) => accountKey(source)),
    ...payees.flatMap(({ account }) => [accountKey(account), dataKey(account, memoRequiredEntry)]),
    ...spends.flatMap(({ address, token }) => {
      const { account } = unmuxed(address)
      return [accountKey(account), (token && trustlineKey(account, token.contract)) ?? accountKey(account)]
    }),
  ]
}

async function readEntries(rpc: JsonRpc, keys: readonly string[]): Promise<LedgerEntries> {
  const unique = [...new Set(keys)]
  const parts = Array.from({ length: Math.ceil(unique.length / maxKeys) }, (_, index) =>
    unique.slice(index * maxKeys, (index + 1) * maxKeys),
  )
  const found = await Promise.all(parts.map((part) => ledgerEntries(rpc, part)))
  return {
    ledger: Math.min(...found.map(({ ledger }) => ledger)),
    entries: new Map(found.flatMap(({ entries }) => [...entries])),
  }
}

/** In their order, as the chain does: an operation may open the account that a later one uses. */
function refuseOperations(
  { from }: CallsSpec,
  operations: readonly CallOperation[],
  found: LedgerEntries,
): void {
  const opened = new Set<string>()
  const sender = unmuxed(from).account
  refuseKey(sender, found)
  for (const { operation, source } of operations) {
    const exists = (account: string) => opened.has(account) || accountState(found, account) !== null
    // The sender's own absence is a shortage, as for transfers.
    if (source !== sender && !exists(source))
      throw new ActionRefusedError('sender_not_found', `The account ${source} does not exist`)
    refuseKey(source, found)
    refusePayee(payeeOf(operation), found, exists)
    const account = openedBy(operation)
    if (account !== null) opened.add(account)
  }
}

/** A key of weight zero cannot sign, even if the threshold is zero. */
function refuseKey(account: string, found: LedgerEntries): void {
  const state = accountState(found, account)
  if (!state || (state.masterWeight > 0 && state.masterWeight >= state.mediumThreshold)) return
  throw new ActionRefusedError(
    'simulation_failed',
    `The own key of ${account} alone may not sign for payments from its account`,
  )
}

function refusePayee(to: Payee | null, found: LedgerEntries, exists: (account: string) => boolean): void {
  if (!to) return
  const { account, muxed, asset } = to
  if (asset !== null && issuerOf(asset) === account) {
    throw new ActionRefusedError(
      'recipient_is_token',
      `A recipient is the issuer of ${asset}: tokens sent there are burned`,
    )
  }
  if (!exists(account))
    throw new ActionRefusedError('recipient_not_found', `The recipient’s account ${account} does not exist`)
  // Calls carry no memo.
  if (!muxed && requiresMemo(found, account))
    throw new ActionRefusedError('memo_required', `The recipient ${account} requires a memo`)
}

/** What owners lack of their stated spends and, the sender, of the fee. */
function shortagesOf(
  { native }: Pick<Chain, 'native'>,
  { from, spends }: CallsSpec,
  found: LedgerEntries,
  { fee, baseReserve }: { fee: bigint; baseReserve: bigint },
): Shortage[] {
  const sender = unmuxed(from).account
  const flows = [
    ...spends.map((each) => ({ ...each, address: unmuxed(each.address).account })),
    { address: sender, token: null, amount: fee },
  ]
  const groups = Map.groupBy(flows, ({ address, token }) => `${address} ${token?.contract ?? ''}`)
  return [...groups.values()].flatMap((group): Shortage[] => {
    const [flow] = group
    // An issuer has no limit on its own token.
    if (!flow || (flow.token && issuerOf(flow.token.contract) === flow.address)) return []
    const { address, token } = flow
    const required = group.reduce((sum, { amount }) => sum + amount, 0n)
    const available = token
      ? heldOf(found, address, token.contract)
      : freeOf(accountState(found, address), baseReserve)
    if (available >= required) return []
    const unit = token ? { symbol: token.symbol, decimals: token.decimals } : native
    return [{ kind: token ? 'token' : 'native', ...unit, required, available }]
  })
}

function heldOf(found: LedgerEntries, account: string, contract: string): bigint {
  const line = trustlineState(found, account, contract)
  return line ? line.balance - line.selling : 0n
}
