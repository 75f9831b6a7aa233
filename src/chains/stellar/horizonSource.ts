import { StrKey } from '@stellar/stellar-sdk/base'
import { bytesOf } from '../bytesOf.ts'
import { ProviderError } from '../chain.ts'
import { type Rest, RestError } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import { unmuxed } from './address.ts'
import {
  type Credit,
  type Flow,
  headerOf,
  type LedgerSource,
  ledgerHeaderOf,
  type RawTransaction,
  unitsOf,
} from './ledger.ts'
import { assetOf as assetOfCode, flow } from './resultFlows.ts'

/** Horizon's largest page. */
const pageSize = 200
/** Of one ledger: its operations have many effects. */
const maxRecords = 100_000

interface Page<T> {
  _embedded?: { records?: (T & { paging_token: string })[] }
}

interface HorizonTransaction {
  hash: string
  ledger: number
  envelope_xdr: string
  result_xdr: string
  /** Missing from a Horizon with `SKIP_TXMETA`. */
  result_meta_xdr?: string | null
}

/** An asset, as Horizon writes it. */
interface HorizonAsset {
  asset_type?: string
  asset_code?: string
  asset_issuer?: string
}

interface HorizonEffect extends HorizonAsset {
  /** The operation's id, a dash, and a number. */
  id: string
  type: string
  account: string
  /** The muxed address that was paid. */
  account_muxed?: string
  amount?: string
}

interface HorizonOperation {
  id: string
  /** Of a contract call: the assets it moved, with the ids of muxed addresses, which effects lack. */
  asset_balance_changes?: (HorizonAsset & {
    type: string
    from?: string
    to?: string
    amount: string
    destination_muxed_id?: string
  })[]
  /** Of a pool deposit or withdrawal: the pool's id in hex, and its assets in canonical form. */
  source_account?: string
  liquidity_pool_id?: string
  reserves_deposited?: { asset: string; amount: string }[]
  reserves_received?: { asset: string; amount: string }[]
}

/** Horizon (Stellar docs, "Horizon API"): the second source, with the ledgers that RPC no longer keeps. */
export function horizonSource(rest: Rest): LedgerSource {
  const header = async (height: number) => {
    const ledger = (await orAbsent(rest.get(`/ledgers/${height}`))) as { header_xdr: string } | null
    return ledger && sound(() => headerOf(ledgerHeaderOf(ledger.header_xdr), height))
  }
  return {
    name: rest.name,
    close: () => rest.close(),
    async network() {
      const answered = (await rest.get('/')) as { network_passphrase?: string } | null
      return answered?.network_passphrase ?? ''
    },
    async newest() {
      const [ledger] = await page<{ sequence: number; header_xdr: string }>(rest, '/ledgers', {
        order: 'desc',
        limit: '1',
      })
      if (!ledger) throw new ProviderError(`${rest.name} has no ledger`)
      return sound(() => headerOf(ledgerHeaderOf(ledger.header_xdr), ledger.sequence))
    },
    header,
    async ledger(height) {
      const found = await header(height)
      if (!found) return null
      const transactions = await all<HorizonTransaction>(rest, `/ledgers/${height}/transactions`, {
        include_failed: 'true',
      })
      const withoutMeta = transactions.some(({ result_meta_xdr }) => !result_meta_xdr)
      const reported = withoutMeta ? await movementsUnder(rest, `/ledgers/${height}`) : null
      return {
        header: found,
        transactions: sound(() =>
          transactions.map((each, index) => rawOf(each, reported?.get(index + 1) ?? null)),
        ),
      }
    },
    async transaction(txId) {
      const found = (await orAbsent(rest.get(`/transactions/${txId}`))) as HorizonTransaction | null
      if (!found) return null
      const reported = found.result_meta_xdr ? null : await movementsUnder(rest, `/transactions/${txId}`)
      return {
        height: found.ledger,
        transaction: sound(() => rawOf(found, reported ? ([...reported.values()][0] ?? null) : null)),
      }
    },
  }
}

const rawOf = (
  { hash, envelope_xdr, result_xdr, result_meta_xdr }: HorizonTransaction,
  reported: ReportedMovements | null,
): RawTransaction => ({
  hash,
  envelopeXdr: envelope_xdr,
  resultXdr: result_xdr,
  metaXdr: result_meta_xdr || null,
  ...(result_meta_xdr
    ? {}
    : { effects: reported?.effects ?? new Map(), flows: reported?.flows ?? new Map() }),
})

async function page<T>(
  rest: Rest,
  path: string,
  query: Record<string, string>,
): Promise<(T & { paging_token: string })[]> {
  const answered = (await rest.get(`${path}?${new URLSearchParams(query)}`)) as Page<T> | null
  const records = answered?._embedded?.records
  if (!Array.isArray(records)) throw new ProviderError(`${rest.name}: ${path} without records`)
  return records
}

async function all<T>(rest: Rest, path: string, query: Record<string, string> = {}): Promise<T[]> {
  const records: T[] = []
  for (let cursor = ''; ; ) {
    const some = await page<T>(rest, path, {
      order: 'asc',
      limit: String(pageSize),
      ...query,
      ...(cursor && { cursor }),
    })
    records.push(...some)
    if (records.length > maxRecords)
      throw new ProviderError(`${rest.name}: ${path} has more than ${maxRecords} records`)
    const last = some.at(-1)?.paging_token
    if (some.length < pageSize || !last || last === cursor) return records
    cursor = last
  }
}

/** Horizon answers 404 for a future ledger and for an unknown transaction. */
async function orAbsent(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null
    throw error
  }
}

/** A transaction's effects and operations, by operation. */
interface ReportedMovements {
  effects: Map<number, Credit[]>
  flows: Map<number, Flow[]>
}

/**
 * Movements of transactions without meta: by the transaction's place in its ledger, then by operation. An
 * operation's id holds both (SEP-35): 32 bits of ledger, 20 of transaction, 12 of operation, the last two
 * counted from one.
 */
async function movementsUnder(rest: Rest, path: string): Promise<Map<number, ReportedMovements>> {
  const [effects, operations] = await Promise.all([
    all<HorizonEffect>(rest, `${path}/effects`),
    all<HorizonOperation>(rest, `${path}/operations`),
  ])
  return sound(() => {
    const reported = new Map<number, ReportedMovements>()
    const at = (id: string) => {
      const operationId = BigInt(id.split('-')[0] ?? '0')
      const transaction = Number((operationId >> 12n) & 0xfffffn)
      const ofTransaction = reported.get(transaction) ?? {
        effects: new Map<number, Credit[]>(),
        flows: new Map<number, Flow[]>(),
      }
      reported.set(transaction, ofTransaction)
      return { ...ofTransaction, operation: Number(operationId & 0xfffn) - 1 }
    }
    for (const effect of effects) {
      const { effects: credits, operation } = at(effect.id)
      credits.set(operation, [...(credits.get(operation) ?? []), ...creditOfEffect(effect)])
    }
    for (const each of operations) {
      const moved = flowsOf(each)
      if (!moved) continue
      const { effects: credits, flows, operation } = at(each.id)
      flows.set(operation, moved)
      credits.set(
        operation,
        moved.flatMap(({ to, id, asset, amount }) =>
          to === null ? [] : [{ account: to, id, asset, amount }],
        ),
      )
    }
    return reported
  })
}

function creditOfEffect({ type, account, account_muxed, amount, ...asset }: HorizonEffect): Credit[] {
  if (type !== 'account_credited' || amount === undefined) return []
  return [
    {
      account,
      id: account_muxed ? unmuxed(account_muxed).id : null,
      asset: assetOf(asset),
      amount: unitsOf(amount),
    },
  ]
}

/** @returns null for an operation of another kind */
function flowsOf(operation: HorizonOperation): Flow[] | null {
  const {
    asset_balance_changes: changes,
    source_account: source = '',
    liquidity_pool_id: id,
    reserves_deposited: put,
    reserves_received: got,
  } = operation
  if (changes) return changes.map(flowOfChange)
  if (id === undefined || !(put || got)) return null
  const pool = StrKey.encodeLiquidityPool(bytesOf(id, 'hex'))
  return [
    ...(put ?? []).flatMap(({ asset, amount }) => flow(source, pool, assetOfCode(asset), unitsOf(amount))),
    ...(got ?? []).flatMap(({ asset, amount }) => flow(pool, source, assetOfCode(asset), unitsOf(amount))),
  ]
}

/** Burns and clawbacks have no receiver, mints no sender. */
const flowOfChange = ({
  type,
  from,
  to,
  amount,
  destination_muxed_id,
  ...asset
}: NonNullable<HorizonOperation['asset_balance_changes']>[number]): Flow => ({
  from: type === 'mint' ? null : (from ?? null),
  to: type === 'transfer' || type === 'mint' ? (to ?? null) : null,
  id: destination_muxed_id === undefined ? null : BigInt(destination_muxed_id),
  asset: assetOf(asset),
  amount: unitsOf(amount),
})

const assetOf = ({ asset_type, asset_code, asset_issuer }: HorizonAsset): string | null =>
  asset_type === 'native' ? null : `${asset_code}:${asset_issuer}`
