import { Asset, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk/base'
import { type Credit, type Flow, hexOf as hex } from './ledger.ts'
import { assetOfXdr } from './resultFlows.ts'
import { decodeStrKey } from './strkey.ts'

/** Events and changes of one operation, from its transaction's meta. */
export interface OperationMeta {
  /** Events of CAP-67; empty if the node has them switched off. */
  events: Flow[]
  /** Claimable balances that it removed from the ledger. */
  claimed: Pick<Credit, 'asset' | 'amount'>[]
  /** Changes of pool reserves; negative where they shrank. */
  pooled: Pooled[]
}

export interface Pooled {
  /** `L…` */
  pool: string
  asset: string | null
  by: bigint
}

/** Of the forms before `v4`. */
function operationsOf(meta: Exclude<xdr.TransactionMeta, { type: 'v4' }>) {
  if (meta.type === 'operations') return meta.operations
  if (meta.type === 'v1') return meta.v1.operations
  return meta.type === 'v2' ? meta.v2.operations : meta.v3.operations
}

/** @returns by operation */
export function operationMetas(metaXdr: string, network: string): OperationMeta[] {
  const meta = xdr.TransactionMeta.fromXDR(metaXdr, 'base64')
  if (meta.type === 'v4') {
    return meta.v4.operations.map(({ events, changes }) => ({
      events: events.flatMap((event) => flowOf(event, network) ?? []),
      ...changed(changes),
    }))
  }
  // Before protocol 23 only contracts emitted events; a transaction with a contract call has one operation.
  const events = meta.type === 'v3' ? (meta.v3.sorobanMeta?.events ?? []) : []
  return operationsOf(meta).map(({ changes }) => ({
    events: events.flatMap((event) => flowOf(event, network) ?? []),
    ...changed(changes),
  }))
}

/**
 * CAP-67: `transfer` from, to, asset; `mint` to, asset; `burn` and `clawback` from, asset. Any contract can
 * emit the same events: accept only those of the asset's own contract.
 */
function flowOf(event: xdr.ContractEvent, network: string): Flow | null {
  if (event.type.name !== 'contract' || event.contractId === null) return null
  const { topics, data } = event.body.v0
  const [name, ...more] = topics.map(nativeOf)
  const ends = typeof name === 'string' ? endsOf(name, more) : null
  if (!ends || contractOf(ends.asset, network) !== hex(event.contractId.value)) return null
  const { amount, id } = amountOf(nativeOf(data))
  return amount === null || amount <= 0n
    ? null
    : { ...ends, id, amount, asset: ends.asset === 'native' ? null : ends.asset }
}

/** Up to protocol 22 `mint` and `clawback` named the administrator first. */
function endsOf(
  name: string,
  topics: readonly unknown[],
): { from: string | null; to: string | null; asset: string } | null {
  if (!topics.every((topic) => typeof topic === 'string')) return null
  const [first, second, third] = name === 'transfer' ? topics : [null, ...topics.slice(-2)]
  if (name === 'transfer' && topics.length === 3)
    return { from: first ?? null, to: second ?? null, asset: third ?? '' }
  if (topics.length < 2) return null
  if (name === 'mint') return { from: null, to: second ?? null, asset: third ?? '' }
  return name === 'burn' || name === 'clawback'
    ? { from: second ?? null, to: null, asset: third ?? '' }
    : null
}

/**
 * An amount alone, or with the id of the receiver's muxed address. An id that is text or a hash was a memo.
 */
function amountOf(data: unknown): { amount: bigint | null; id: bigint | null } {
  if (typeof data === 'bigint') return { amount: data, id: null }
  if (data === null || typeof data !== 'object') return { amount: null, id: null }
  const { amount, to_muxed_id: id } = data as { amount?: unknown; to_muxed_id?: unknown }
  return { amount: typeof amount === 'bigint' ? amount : null, id: typeof id === 'bigint' ? id : null }
}

function nativeOf(value: xdr.ScVal): unknown {
  try {
    return scValToNative(value)
  } catch {
    // A value of another contract that the SDK cannot convert; asset contracts emit no such values.
    return undefined
  }
}

const contracts = new Map<string, string | null>()

/**
 * The contract of an asset on a network (SEP-41, "Stellar Asset Contract"). @returns null if the text is not
 * an asset
 */
function contractOf(asset: string, network: string): string | null {
  const key = `${network} ${asset}`
  let contract = contracts.get(key)
  if (contract === undefined) {
    contract = derivedContract(asset, network)
    // Events of foreign contracts can name any number of assets: bound the cache.
    if (contracts.size > 10_000) contracts.clear()
    contracts.set(key, contract)
  }
  return contract
}

function derivedContract(text: string, network: string): string | null {
  try {
    const [code = '', issuer] = text.split(':')
    const asset = text === 'native' ? Asset.native() : new Asset(code, issuer)
    return hex(decodeStrKey(asset.contractId(network))?.payload ?? new Uint8Array())
  } catch {
    return null
  }
}

const changed = (changes: readonly xdr.LedgerEntryChange[]) => ({
  claimed: claimedOf(changes),
  pooled: pooledOf(changes),
})

/** An entry before its change counts as taken away. */
function entryOf(change: xdr.LedgerEntryChange) {
  if (change.type === 'ledgerEntryState') return { data: change.state.data, sign: -1n }
  return change.type === 'ledgerEntryUpdated' ? { data: change.updated.data, sign: 1n } : null
}

function pooledOf(changes: readonly xdr.LedgerEntryChange[]): Pooled[] {
  return changes.flatMap((change) => {
    const found = entryOf(change)
    if (found?.data.type !== 'liquidityPool') return []
    const { data, sign } = found
    const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct
    const pool = StrKey.encodeLiquidityPool(data.liquidityPool.liquidityPoolId.value)
    return [
      { pool, asset: assetOfXdr(params.assetA), by: sign * reserveA },
      { pool, asset: assetOfXdr(params.assetB), by: sign * reserveB },
    ]
  })
}

/** Claimable balances that were removed: a claim always takes all of one. */
function claimedOf(changes: readonly xdr.LedgerEntryChange[]): OperationMeta['claimed'] {
  const before = new Map<string, Pick<Credit, 'asset' | 'amount'>>()
  const claimed: OperationMeta['claimed'] = []
  for (const change of changes) {
    if (change.type === 'ledgerEntryState' && change.state.data.type === 'claimableBalance') {
      const { balanceId, asset, amount } = change.state.data.claimableBalance
      before.set(hex(balanceId.toXDR()), { asset: assetOfXdr(asset), amount })
    }
    if (change.type === 'ledgerEntryRemoved' && change.removed.type === 'claimableBalance') {
      const balance = before.get(hex(change.removed.claimableBalance.balanceId.toXDR()))
      if (balance) claimed.push(balance)
    }
  }
  return claimed
}
