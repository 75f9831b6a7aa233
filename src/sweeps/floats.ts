import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import type { Queryable } from '../platform/db.ts'

/** What the treasury's address holds on a chain, and how little of it is too little. Base units. */
export interface Float {
  chain: string
  token: string
  balance: bigint
  lowWater: bigint
  readAt: Date
}

/** The operator's mark; without one, that of a stored wallet for the native coin, and none for tokens. */
export async function lowWater(db: Queryable, chain: Pick<ConfiguredChain, 'name' | 'native' | 'lowBalance'>, token: string): Promise<bigint> {
  const [row] = await db.query<{ lowWater: string }>('select low_water as "lowWater" from treasury_levels where chain = $1 and token = $2', [
    chain.name,
    token,
  ])
  return row ? BigInt(row.lowWater) : token === chain.native.symbol ? chain.lowBalance : 0n
}

/** Reads the treasury's balances of a chain from a node, and stores them. */
export async function readFloats(db: Queryable, chain: ConfiguredChain, balances: BalanceReader, treasury: string): Promise<void> {
  const tokens = assetsOf(chain).flatMap(({ symbol, contract }) => (contract === null ? [] : [{ symbol, contract }]))
  const found = await balances.balances(
    treasury,
    tokens.map(({ contract }) => contract),
  )
  const held = tokens.map(({ symbol }, i) => ({ symbol, balance: found.tokens[i]?.balance ?? null }))
  const known = [...held, { symbol: chain.native.symbol, balance: found.native }].filter(({ balance }) => balance !== null)
  await db.query(
    `insert into treasury_floats (chain, token, balance) select $1, * from unnest($2::text[], $3::numeric[])
     on conflict (chain, token) do update set balance = excluded.balance, read_at = now()`,
    [chain.name, known.map(({ symbol }) => symbol), known.map(({ balance }) => String(balance))],
  )
}

/** As last read. */
export async function storedFloats(db: Queryable, chains: readonly Pick<ConfiguredChain, 'name' | 'native' | 'lowBalance'>[]): Promise<Float[]> {
  const rows = await db.query<Omit<Float, 'balance' | 'lowWater'> & { balance: string; lowWater: string | null }>(
    `select f.chain, f.token, f.balance, l.low_water as "lowWater", f.read_at as "readAt"
     from treasury_floats f left join treasury_levels l on l.chain = f.chain and l.token = f.token order by f.chain, f.token`,
  )
  return rows.flatMap((row) => {
    const chain = chains.find(({ name }) => name === row.chain)
    if (!chain) return []
    const usual = row.token === chain.native.symbol ? chain.lowBalance : 0n
    return [{ ...row, balance: BigInt(row.balance), lowWater: row.lowWater === null ? usual : BigInt(row.lowWater) }]
  })
}
