import type { Token } from '../chains/action.ts'
import { assetsOf, type Chain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import type { Queryable } from '../platform/database/db.ts'

/** An asset of a deposit address. */
export interface Holding {
  /** The registry's symbol. */
  symbol: string
  /** Null for the native coin. */
  token: Token | null
  decimals: number
  /** By the books: credited and confirmed, less what has left. Base units. */
  expected: bigint
  /** On the chain; null if its contract does not answer. */
  onChain: bigint | null
  /** What of it a sweep can move: on Solana that of the associated account. */
  sweepable: bigint | null
}

/**
 * What a deposit address holds of the registry's assets, tokens first: by the books, and on the chain. Leaves
 * out what the books do not have.
 */
export async function holdingsAt(
  db: Queryable,
  { chain, balances }: { chain: Chain; balances: BalanceReader },
  address: string,
): Promise<Holding[]> {
  const expected = await expectedAt(db, chain, address)
  const assets = assetsOf(chain).filter(({ symbol }) => (expected.get(symbol) ?? 0n) > 0n)
  if (assets.length === 0) return []
  const contracts = assets.flatMap(({ contract }) => (contract === null ? [] : [contract]))
  const found = await balances.balances(address, contracts)
  const held = new Map(found.tokens.map((each) => [each.contract, each]))
  return assets.map(({ symbol, contract, decimals }) => {
    const onChain = contract === null ? found.native : (held.get(contract)?.balance ?? null)
    return {
      symbol,
      decimals,
      token: contract === null ? null : { contract, symbol, decimals },
      expected: expected.get(symbol) ?? 0n,
      onChain,
      sweepable: contract === null ? onChain : (held.get(contract)?.sweepable ?? onChain),
    }
  })
}

/** SQL: customers' payments to an address ($3) of a family ($2) on a chain ($1) that are in the books. */
const bookedPayments = `pos_sessions s join session_payments p on p.session_id = s.id
  join detections d on d.id = p.detection_id join transfers t on t.id = d.transfer_id
  where s.family = $2 and s.address = $3 and t.chain = $1 and t.to_address = $3 and p.posted <> 'none'`

/**
 * Checks if no customer has paid native coin to an address: what it holds of it is gas that the treasury
 * sent.
 */
export async function holdsGasAlone(
  db: Queryable,
  { name, family }: Pick<Chain, 'name' | 'family'>,
  address: string,
): Promise<boolean> {
  const [paid] = await db.query(`select 1 from ${bookedPayments} and t.contract is null limit 1`, [
    name,
    family,
    address,
  ])
  return paid === undefined
}

/** By symbol. The native coin counts gas that was funded, and fees that were paid. */
export async function expectedAt(
  db: Queryable,
  chain: Pick<Chain, 'name' | 'family' | 'native'>,
  address: string,
): Promise<Map<string, bigint>> {
  const native = chain.native.symbol
  const rows = await db.query<{ symbol: string; amount: string }>(
    `select symbol, sum(amount)::text as amount from (
       select t.token as symbol, t.amount from ${bookedPayments} and d.status = 'confirmed'
       union all select token, -amount from sweeps where chain = $1 and address = $3 and status in ('swept', 'done')
       union all select $4, amount from intents where chain = $1 and to_address = $3 and purpose = 'gas' and status = 'confirmed'
       union all select $4, -fee from intents where chain = $1 and from_address = $3 and business_id is null and fee is not null
       union all select symbol, amount from recovered_movements where chain = $1 and address = $3
     ) moved where symbol is not null group by symbol`,
    [chain.name, chain.family, address, native],
  )
  return new Map(rows.map(({ symbol, amount }) => [symbol, BigInt(amount)]))
}
