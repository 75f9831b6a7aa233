import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import type { Queryable } from '../platform/database/db.ts'

/** What the treasury's address holds on a chain, and how little of it is too little. Base units. */
export interface Float {
  chain: string
  token: string
  balance: bigint
  lowWater: bigint
  readAt: Date
}

type Levels = Pick<ConfiguredChain, 'name' | 'native' | 'lowBalance'>

/** The operator's mark; without one, that of a stored wallet for the native coin, and zero for tokens. */
function markOf({ native, lowBalance }: Levels, token: string, marked: string | null): bigint {
  if (marked !== null) return BigInt(marked)
  return token === native.symbol ? lowBalance : 0n
}

export async function lowWater(db: Queryable, chain: Levels, token: string): Promise<bigint> {
  const [row] = await db.query<{ lowWater: string }>(
    'select low_water as "lowWater" from treasury_levels where chain = $1 and token = $2',
    [chain.name, token],
  )
  return markOf(chain, token, row?.lowWater ?? null)
}

/** Reads the treasury's balances of a chain from a node, and stores them. */
export async function readFloats(
  db: Queryable,
  chain: ConfiguredChain,
  balances: BalanceReader,
  treasury: string,
): Promise<void> {
  const tokens = assetsOf(chain).flatMap(({ symbol, contract }) =>
    contract === null ? [] : [{ symbol, contract }],
  )
  const found = await balances.balances(
    treasury,
    tokens.map(({ contract }) => contract),
  )
  const held = tokens.map(({ symbol }, i) => ({ symbol, balance: found.tokens[i]?.balance ?? null }))
  const known = [...held, { symbol: chain.native.symbol, balance: found.native }].filter(
    ({ balance }) => balance !== null,
  )
  await db.query(
    `insert into treasury_floats (chain, token, balance) select $1, * from unnest($2::text[], $3::numeric[])
     on conflict (chain, token) do update set balance = excluded.balance, read_at = now()`,
    [chain.name, known.map(({ symbol }) => symbol), known.map(({ balance }) => String(balance))],
  )
}

/** As last read. */
export async function storedFloats(db: Queryable, chains: readonly Levels[]): Promise<Float[]> {
  const rows = await db.query<
    Omit<Float, 'balance' | 'lowWater'> & { balance: string; lowWater: string | null }
  >(
    `select f.chain, f.token, f.balance, l.low_water as "lowWater", f.read_at as "readAt"
     from treasury_floats f left join treasury_levels l on l.chain = f.chain and l.token = f.token order by f.chain, f.token`,
  )
  return rows.flatMap((row) => {
    const chain = chains.find(({ name }) => name === row.chain)
    return chain
      ? [{ ...row, balance: BigInt(row.balance), lowWater: markOf(chain, row.token, row.lowWater) }]
      : []
  })
}
