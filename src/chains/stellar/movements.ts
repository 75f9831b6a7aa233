import { type Memo, ProviderError, type Transfer } from '../chain.ts'
import { memoId, muxed } from './address.ts'
import type { Credit, Debit, Flow, RawTransaction } from './ledger.ts'
import { type OperationMeta, operationMetas } from './meta.ts'
import { flow } from './resultFlows.ts'
import { type Operation, type SignedTransaction, signedTransaction } from './transaction.ts'

/** All movements of a ledger. Failed transactions moved nothing. */
export const movementsOf = (transactions: readonly RawTransaction[], network: string): Transfer[] =>
  transactions.flatMap((each) => transfersOf(each, network).transfers)

/**
 * Movements of one transaction: one for each operation, address and asset that gained; and one for each loss
 * that no gain matches. Payments and trades are read from operations and results, to which the ledger's
 * header commits. Contract calls are read from events. Claims and pools are read from events or from the
 * ledger's changes.
 * @throws ProviderError if events contradict a payment or a claim, or if the node omitted data that is needed
 */
export function transfersOf(
  raw: RawTransaction,
  network: string,
): SignedTransaction & { transfers: Transfer[] } {
  const signed = signedTransaction(raw, network)
  if (!signed.succeeded) return { ...signed, transfers: [] }
  const metas = raw.metaXdr === null ? null : operationMetas(raw.metaXdr, network)
  const transfers = signed.operations.flatMap((operation, index) => {
    const credits = metas
      ? creditsByMeta(raw.hash, index, operation, metas[index])
      : creditsByEffects(raw, index, operation)
    const debits = metas ? debitsByMeta(operation, metas[index]) : debitsByEffects(raw, index, operation)
    return movementsIn(
      raw.hash,
      index,
      operation,
      summed(credits, operation, signed.memo),
      debits,
      signed.memo,
    )
  })
  return { ...signed, transfers }
}

/** The movements that a failed transaction intended. */
export const intended = (raw: RawTransaction, { operations, memo }: SignedTransaction): Transfer[] =>
  operations.flatMap((operation, index) =>
    summed(operation.credit ? [operation.credit] : [], operation, memo).map((each) =>
      transferOf(raw.hash, index, operation, each, memo),
    ),
  )

interface Moved {
  to: string
  asset: string | null
  amount: bigint
}

const keyOf = (index: number, address: string, asset: string | null) =>
  `op:${index}:${address}:${asset ?? 'native'}`

const transferOf = (
  txId: string,
  index: number,
  { source }: Operation,
  { to, asset, amount }: Moved,
  memo: Memo | null,
): Transfer => ({
  txId,
  movementKey: keyOf(index, to, asset),
  contract: asset,
  from: source,
  to,
  amount,
  ...(memo ? { memo } : {}),
})

/**
 * If an operation's source alone lost exactly the amount of an asset that others gained, the gains describe
 * the loss as well. Otherwise each loss is a movement of its own.
 */
function movementsIn(
  txId: string,
  index: number,
  operation: Operation,
  moved: readonly Moved[],
  debits: readonly Debit[],
  memo: Memo | null,
): Transfer[] {
  const isMatchedByGains = (asset: string | null): boolean => {
    // The source of a path pays the first trade of the path, not the recipient.
    if (operation.kind === 'path' && operation.debit?.asset === asset && operation.credit?.asset !== asset)
      return false
    const [debit, ...others] = debits.filter((each) => each.asset === asset)
    const gained = moved.filter((each) => each.asset === asset).reduce((sum, { amount }) => sum + amount, 0n)
    return debit?.account === operation.source && others.length === 0 && debit.amount === gained
  }
  return [
    ...moved.map((each) => ({
      ...transferOf(txId, index, operation, each, memo),
      ...(isMatchedByGains(each.asset) ? {} : { only: 'in' as const }),
    })),
    ...debits
      .filter(({ account, asset }) => isHolder(account) && !isMatchedByGains(asset))
      .map(({ account, asset, amount, to }) => ({
        txId,
        movementKey: `${keyOf(index, account, asset)}:out`,
        contract: asset,
        from: account,
        to,
        amount,
        only: 'out' as const,
        ...(memo ? { memo } : {}),
      })),
  ]
}

/** An account or a contract. Claimable balances and pools (`B…`, `L…`, SEP-23) do not count as holders. */
const isHolder = (address: string): boolean => /^[GC]/.test(address)

function creditsByMeta(
  hash: string,
  index: number,
  operation: Operation,
  meta: OperationMeta | undefined,
): readonly Credit[] {
  if (!meta) throw new ProviderError(`the meta of ${hash} lacks operation ${index}`)
  const expected = expectedOf(operation, meta)
  // Nodes without events of operations still return those of contracts.
  if (meta.events.length === 0)
    return operation.kind === 'claim' ? expected : gains(flowsWithoutEvents(operation, meta))
  for (const { account, asset, amount } of expected) {
    const sum = meta.events
      .filter((each) => each.to === account && each.asset === asset)
      .reduce((total, each) => total + each.amount, 0n)
    // A path payment may trade with its own recipient.
    if (operation.kind === 'path' ? sum < amount : sum !== amount) {
      throw new ProviderError(
        `events of ${hash} say that operation ${index} credited ${sum}, and the operation ${amount}`,
      )
    }
  }
  // Paths and offers also credit those who trade; a payment moves one asset to one account.
  const isOther = ({ from, to, asset }: Flow) =>
    to !== null && to !== from && !expected.some((each) => each.account === to && each.asset === asset)
  if ((operation.kind === 'payment' || operation.kind === 'claim') && meta.events.some(isOther)) {
    throw new ProviderError(`events of ${hash} report a movement that operation ${index} does not make`)
  }
  return gains(flowsOf(operation, meta))
}

/** The header commits to operations and results, but not to events. */
const flowsOf = (operation: Operation, meta: OperationMeta | undefined): readonly Flow[] =>
  meta && meta.events.length > 0 && !/^(payment|path|result)$/.test(operation.kind)
    ? meta.events
    : flowsWithoutEvents(operation, meta)

/** Net gains by account: an amount that only passed through is not a gain. */
function gains(events: readonly Flow[]): Credit[] {
  const out = new Map<string, bigint>()
  for (const { from, asset, amount } of events)
    if (from !== null) out.set(`${from} ${asset}`, (out.get(`${from} ${asset}`) ?? 0n) + amount)
  const incoming = events.flatMap(({ to, id, asset, amount }) =>
    to === null ? [] : [{ account: to, id, asset, amount }],
  )
  return [...Map.groupBy(incoming, ({ account, asset }) => `${account} ${asset}`)].flatMap(
    ([key, credits]) => {
      const went = out.get(key)
      const [first] = credits
      if (went === undefined || !first) return credits
      const gain = credits.reduce((sum, { amount }) => sum + amount, 0n) - went
      return gain > 0n ? [{ ...first, amount: gain }] : []
    },
  )
}

const debitsByMeta = (operation: Operation, meta: OperationMeta | undefined): readonly Debit[] =>
  losses(operation, flowsOf(operation, meta))

/** Summed by pool and asset: the difference of the reserves is the amount moved. */
function flowsWithoutEvents(
  { kind, source, flows }: Operation,
  meta: OperationMeta | undefined,
): readonly Flow[] {
  if (kind !== 'pool') return flows
  const reserves = Map.groupBy(meta?.pooled ?? [], ({ pool, asset }) => `${pool} ${asset}`)
  return [...reserves.values()].flatMap((changes) => {
    const by = changes.reduce((sum, each) => sum + each.by, 0n)
    return changes
      .slice(0, 1)
      .flatMap(({ pool, asset }) =>
        by > 0n ? flow(source, pool, asset, by) : flow(pool, source, asset, -by),
      )
  })
}

/** Net losses by account. A null side counts as the asset's issuer. */
function losses(operation: Operation, flows: readonly Flow[]): readonly Debit[] {
  const net = new Map<string, { account: string; asset: string | null; by: bigint }>()
  const add = (account: string | null, asset: string | null, by: bigint) => {
    const holder = account ?? issuerOf(asset)
    if (holder === null) return
    const key = `${holder} ${asset}`
    net.set(key, { account: holder, asset, by: (net.get(key)?.by ?? 0n) + by })
  }
  for (const { from, to, asset, amount } of flows) {
    add(from, asset, -amount)
    add(to, asset, amount)
  }
  const changes = [...net.values()]
  return changes
    .filter(({ by }) => by < 0n)
    .map(({ account, asset, by }) => ({
      account,
      asset,
      amount: -by,
      to: receiverOf(operation, changes, account, asset),
    }))
}

/** The recipient of the operation's payment; otherwise the account that gained the most. */
function receiverOf(
  { source, debit }: Operation,
  changes: readonly { account: string; asset: string | null; by: bigint }[],
  account: string,
  asset: string | null,
): string {
  if (debit && account === source && asset === debit.asset) return debit.to
  const gains = changes.filter((each) => each.asset === asset && each.by > 0n)
  return (
    gains.reduce<(typeof gains)[number] | null>((max, each) => (max && max.by >= each.by ? max : each), null)
      ?.account ?? account
  )
}

const issuerOf = (asset: string | null): string | null => asset?.split(':')[1] ?? null

function expectedOf({ kind, credit, source }: Operation, { claimed }: OperationMeta): Credit[] {
  if (kind === 'claim')
    return claimed
      .filter(({ asset }) => !asset?.endsWith(`:${source}`))
      .map((each) => ({ ...each, account: source, id: null }))
  return credit && credit.amount > 0n ? [credit] : []
}

/**
 * Without meta: read from the operation, and from Horizon for operations that only the ledger's changes
 * describe.
 */
function creditsByEffects(
  { hash, effects, flows: byHorizon }: RawTransaction,
  index: number,
  { kind, flows }: Operation,
): readonly Credit[] {
  if (kind !== 'claim' && kind !== 'contract' && kind !== 'pool') return gains(flows)
  if (kind === 'pool' && byHorizon) return gains(byHorizon.get(index) ?? [])
  if (!effects) throw new ProviderError(`${hash} has neither meta nor effects`)
  return (effects.get(index) ?? []).filter(({ amount }) => amount > 0n)
}

const debitsByEffects = ({ flows }: RawTransaction, index: number, operation: Operation): readonly Debit[] =>
  losses(
    operation,
    operation.kind === 'contract' || operation.kind === 'pool' ? (flows?.get(index) ?? []) : operation.flows,
  )

/** One movement for each address and asset. */
function summed(credits: readonly Credit[], operation: Operation, memo: Memo | null): Moved[] {
  const moved = new Map<string, Moved>()
  for (const credit of credits) {
    if (!isHolder(credit.account)) continue
    const to = addressed(credit, operation, memo)
    const key = `${to} ${credit.asset}`
    moved.set(key, { to, asset: credit.asset, amount: (moved.get(key)?.amount ?? 0n) + credit.amount })
  }
  return [...moved.values()]
}

/**
 * A shared account's address has its id from the muxed address, otherwise from the memo (SEP-23). Both apply
 * only to the recipient of the payment; others who trade on its path get the account without an id. A
 * contract's event carries the id.
 */
function addressed({ account, id, asset }: Credit, { kind, credit }: Operation, memo: Memo | null): string {
  if (!account.startsWith('G')) return account
  if (kind === 'contract') return muxed(account, id ?? 0n)
  const isPaid = kind === 'claim' || (credit?.account === account && credit.asset === asset)
  return muxed(account, isPaid ? (credit?.id ?? idOf(memo)) : 0n)
}

/** Wallets without memos of type `id` write the id as text. */
const idOf = (memo: Memo | null): bigint =>
  memo && (memo.type === 'id' || memo.type === 'text') ? (memoId(memo.value) ?? 0n) : 0n
