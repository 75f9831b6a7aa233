import { type Memo, ProviderError, type Transfer } from '../chain.ts'
import { memoId, muxed } from './address.ts'
import type { Credit, Debit, Flow, RawTransaction } from './ledger.ts'
import { type OperationMeta, operationMetas } from './meta.ts'
import { flow } from './resultFlows.ts'
import { type Operation, type SignedTransaction, signedTransaction } from './transaction.ts'

/** What the transactions of a ledger brought to whom, and took from whom. Failed ones moved nothing. */
export const movementsOf = (transactions: readonly RawTransaction[], network: string): Transfer[] =>
  transactions.flatMap((each) => transfersOf(each, network).transfers)

/**
 * What one transaction brought to whom, one movement for each operation, address and asset; and what it took from whom, where no single
 * one of these tells it.
 *
 * Payments and trades are read from operations and results, to which the ledger's header commits; events of CAP-67 that say otherwise of a
 * payment are refused. What contracts moved is read from events; claims, and what pools took or gave, from events or from what the ledger
 * changed: where a node gives both of a claim, they must say the same.
 * @throws ProviderError where they do not, or where the node left out what is needed to tell
 */
export function transfersOf(raw: RawTransaction, network: string): SignedTransaction & { transfers: Transfer[] } {
  const signed = signedTransaction(raw, network)
  if (!signed.succeeded) return { ...signed, transfers: [] }
  const metas = raw.metaXdr === null ? null : operationMetas(raw.metaXdr, network)
  const transfers = signed.operations.flatMap((operation, index) => {
    const credits = metas ? creditsByMeta(raw.hash, index, operation, metas[index]) : creditsByEffects(raw, index, operation)
    const debits = metas ? debitsByMeta(operation, metas[index]) : debitsByEffects(raw, index, operation)
    return movementsIn(raw.hash, index, operation, summed(credits, operation, signed.memo), debits, signed.memo)
  })
  return { ...signed, transfers }
}

/** What a transaction that moved nothing was meant to move. */
export const intended = (raw: RawTransaction, { operations, memo }: SignedTransaction): Transfer[] =>
  operations.flatMap((operation, index) =>
    summed(operation.credit ? [operation.credit] : [], operation, memo).map((each) => transferOf(raw.hash, index, operation, each, memo)),
  )

interface Moved {
  to: string
  asset: string | null
  amount: bigint
}

const keyOf = (index: number, address: string, asset: string | null) => `op:${index}:${address}:${asset ?? 'native'}`

const transferOf = (txId: string, index: number, { source }: Operation, { to, asset, amount }: Moved, memo: Memo | null): Transfer => ({
  txId,
  movementKey: keyOf(index, to, asset),
  contract: asset,
  from: source,
  to,
  amount,
  ...(memo ? { memo } : {}),
})

/**
 * Where an operation's source alone lost of an asset just what others gained, the gains tell all; else each loss is a movement of its
 * own.
 */
function movementsIn(
  txId: string,
  index: number,
  operation: Operation,
  moved: readonly Moved[],
  debits: readonly Debit[],
  memo: Memo | null,
): Transfer[] {
  const toldByGains = (asset: string | null): boolean => {
    // What goes into a path is taken from whoever pays, for whom that is: on the way it is others' trades.
    if (operation.kind === 'path' && operation.debit?.asset === asset && operation.credit?.asset !== asset) return false
    const [debit, ...others] = debits.filter((each) => each.asset === asset)
    const gained = moved.filter((each) => each.asset === asset).reduce((sum, { amount }) => sum + amount, 0n)
    return debit?.account === operation.source && others.length === 0 && debit.amount === gained
  }
  return [
    ...moved.map((each) => ({ ...transferOf(txId, index, operation, each, memo), ...(toldByGains(each.asset) ? {} : { only: 'in' as const }) })),
    ...debits
      .filter(({ account, asset }) => isHolder(account) && !toldByGains(asset))
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

/** An account or a contract. What is put into a claimable balance or a pool (`B…`, `L…`, SEP-23) is nobody's yet. */
const isHolder = (address: string): boolean => /^[GC]/.test(address)

function creditsByMeta(hash: string, index: number, operation: Operation, meta: OperationMeta | undefined): readonly Credit[] {
  if (!meta) throw new ProviderError(`the meta of ${hash} lacks operation ${index}`)
  const expected = expectedOf(operation, meta)
  // A node that tells no events of operations tells those of contracts all the same.
  if (meta.events.length === 0) return operation.kind === 'claim' ? expected : gains(flowsWithoutEvents(operation, meta))
  for (const { account, asset, amount } of expected) {
    const sum = meta.events.filter((each) => each.to === account && each.asset === asset).reduce((total, each) => total + each.amount, 0n)
    // On its path a payment may trade with the one whom it pays.
    if (operation.kind === 'path' ? sum < amount : sum !== amount) {
      throw new ProviderError(`events of ${hash} say that operation ${index} brought ${sum}, and the operation ${amount}`)
    }
  }
  // What anybody trades on the way comes with paths and offers; a payment moves one asset to one account.
  const isOther = ({ from, to, asset }: Flow) => to !== null && to !== from && !expected.some((each) => each.account === to && each.asset === asset)
  if ((operation.kind === 'payment' || operation.kind === 'claim') && meta.events.some(isOther)) {
    throw new ProviderError(`events of ${hash} say that operation ${index} brought what it does not move`)
  }
  return gains(flowsOf(operation, meta))
}

/** The header commits to operations and results, and to no event. */
const flowsOf = (operation: Operation, meta: OperationMeta | undefined): readonly Flow[] =>
  meta && meta.events.length > 0 && !/^(payment|path|result)$/.test(operation.kind) ? meta.events : flowsWithoutEvents(operation, meta)

/** What each account has more of after the events: what only passed through it is no gain. */
function gains(events: readonly Flow[]): Credit[] {
  const out = new Map<string, bigint>()
  for (const { from, asset, amount } of events) if (from !== null) out.set(`${from} ${asset}`, (out.get(`${from} ${asset}`) ?? 0n) + amount)
  const incoming = events.flatMap(({ to, id, asset, amount }) => (to === null ? [] : [{ account: to, id, asset, amount }]))
  return [...Map.groupBy(incoming, ({ account, asset }) => `${account} ${asset}`)].flatMap(([key, credits]) => {
    const went = out.get(key)
    const [first] = credits
    if (went === undefined || !first) return credits
    const gain = credits.reduce((sum, { amount }) => sum + amount, 0n) - went
    return gain > 0n ? [{ ...first, amount: gain }] : []
  })
}

const debitsByMeta = (operation: Operation, meta: OperationMeta | undefined): readonly Debit[] => losses(operation, flowsOf(operation, meta))

/** Summed by pool and asset, so that what a pool has before and after tells what it took or gave. */
function flowsWithoutEvents({ kind, source, flows }: Operation, meta: OperationMeta | undefined): readonly Flow[] {
  if (kind !== 'pool') return flows
  const reserves = Map.groupBy(meta?.pooled ?? [], ({ pool, asset }) => `${pool} ${asset}`)
  return [...reserves.values()].flatMap((changes) => {
    const by = changes.reduce((sum, each) => sum + each.by, 0n)
    return changes.slice(0, 1).flatMap(({ pool, asset }) => (by > 0n ? flow(source, pool, asset, by) : flow(pool, source, asset, -by)))
  })
}

/** What each account has less of after these. An asset comes from its issuer, and ends there. */
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
    .map(({ account, asset, by }) => ({ account, asset, amount: -by, to: receiverOf(operation, changes, account, asset) }))
}

/** Whom an operation pays, if it is the one that does; else who gained the most. */
function receiverOf(
  { source, debit }: Operation,
  changes: readonly { account: string; asset: string | null; by: bigint }[],
  account: string,
  asset: string | null,
): string {
  if (debit && account === source && asset === debit.asset) return debit.to
  const gains = changes.filter((each) => each.asset === asset && each.by > 0n)
  return gains.reduce<(typeof gains)[number] | null>((max, each) => (max && max.by >= each.by ? max : each), null)?.account ?? account
}

const issuerOf = (asset: string | null): string | null => asset?.split(':')[1] ?? null

const expectedOf = ({ kind, credit, source }: Operation, { claimed }: OperationMeta): Credit[] =>
  kind === 'claim'
    ? claimed.filter(({ asset }) => !asset?.endsWith(`:${source}`)).map((each) => ({ ...each, account: source, id: null }))
    : credit && credit.amount > 0n
      ? [credit]
      : []

/** Without its meta: an operation's own word, and Horizon's for what only the ledger's changes tell. */
function creditsByEffects({ hash, effects, flows: byHorizon }: RawTransaction, index: number, { kind, flows }: Operation): readonly Credit[] {
  if (kind !== 'claim' && kind !== 'contract' && kind !== 'pool') return gains(flows)
  if (kind === 'pool' && byHorizon) return gains(byHorizon.get(index) ?? [])
  if (!effects) throw new ProviderError(`neither meta nor effects of ${hash}`)
  return (effects.get(index) ?? []).filter(({ amount }) => amount > 0n)
}

const debitsByEffects = ({ flows }: RawTransaction, index: number, operation: Operation): readonly Debit[] =>
  losses(operation, operation.kind === 'contract' || operation.kind === 'pool' ? (flows?.get(index) ?? []) : operation.flows)

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
 * An address that shares its account is told by its id, or by the memo that stands for it; the id comes first (SEP-23). Both are of
 * whom the operation pays: what others take on its way, in trades, is their account's own. A contract tells an id by its event.
 */
function addressed({ account, id, asset }: Credit, { kind, credit }: Operation, memo: Memo | null): string {
  if (!account.startsWith('G')) return account
  if (kind === 'contract') return muxed(account, id ?? 0n)
  const isPaid = kind === 'claim' || (credit?.account === account && credit.asset === asset)
  return muxed(account, isPaid ? (credit?.id ?? idOf(memo)) : 0n)
}

/** Wallets that know no memo of type `id` write it as text. */
const idOf = (memo: Memo | null): bigint => (memo && (memo.type === 'id' || memo.type === 'text') ? (memoId(memo.value) ?? 0n) : 0n)
