import type { CheckContext, OwnAddresses } from './context.ts'

const atOnce = 100
/** Where nodes answer for one address at a time: addresses without known money that one check reads. */
const sample = 500

/**
 * The treasury's address, the staking address, then the deposit addresses that sessions have taken. Where
 * nodes answer for one address at a time: those that have held money on the chain, and the newest of the
 * others. On Stellar all deposits are on the treasury's account.
 */
export async function* checkedAddresses(
  { db, chain, balances }: CheckContext,
  { treasury, staking }: OwnAddresses,
): AsyncGenerator<readonly string[]> {
  yield [treasury]
  if (staking !== null) yield [staking]
  if (chain.family === 'stellar') return
  if (balances.many) {
    for (let after = -1; ; ) {
      const rows = await db.query<{ address: string; index: string }>(
        'select address, index from deposit_addresses where family = $1 and taken_at is not null and index > $2 order by index limit $3',
        [chain.family, after, atOnce],
      )
      if (rows.length === 0) return
      yield rows.map(({ address }) => address)
      after = Number(rows.at(-1)?.index)
    }
  }
  for (let after = ''; ; ) {
    const rows = await db.query<{ address: string }>(
      'select address from sweep_sources where chain = $1 and address > $2 order by address limit $3',
      [chain.name, after, atOnce],
    )
    if (rows.length === 0) break
    yield rows.map(({ address }) => address)
    after = rows.at(-1)?.address ?? ''
  }
  const others = await db.query<{ address: string }>(
    `select address from deposit_addresses d where family = $1 and taken_at is not null
       and not exists (select 1 from sweep_sources s where s.chain = $2 and s.address = d.address) order by index desc limit $3`,
    [chain.family, chain.name, sample],
  )
  for (let from = 0; from < others.length; from += atOnce)
    yield others.slice(from, from + atOnce).map(({ address }) => address)
}
