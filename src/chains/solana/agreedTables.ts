import { ProviderError } from '../chain.ts'
import { accountsOf } from './chainState.ts'
import { tableAddresses } from './lookupTable.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/** Addresses of a lookup table in their order; null: not an active table. */
type Table = readonly string[] | null

/**
 * Lookup tables by every provider: they decide which accounts a transaction names, so that one wrong answer must not. Of several providers, at
 * least two must name an address at its place, and more than name another. A table only grows: places that too few know yet are left out.
 * @param names at least one
 * @throws ProviderError where they do not agree, or too few answer
 */
export async function agreedTables({ providers }: Pick<SolanaSenderContext, 'providers'>, names: readonly string[]): Promise<Map<string, Table>> {
  const read = (own: string) =>
    providers.ask(
      async (rpc) => (await accountsOf(rpc, names)).map(tableAddresses),
      (name) => name === own,
    )
  const asked = await Promise.allSettled(providers.names.map(read))
  const answers = asked.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []))
  const [failure] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  const enough = Math.min(2, providers.names.length)
  if (answers.length < enough) throw failure ?? new ProviderError('too few providers answered about lookup tables')
  return new Map(
    names.map((name, index) => [
      name,
      agreed(
        answers.map((each) => each[index] ?? null),
        enough,
      ),
    ]),
  )
}

/** @throws ProviderError */
function agreed(tables: readonly Table[], enough: number): Table {
  const active = tables.filter((each) => each !== null)
  const missing = tables.length - active.length
  if (missing >= enough && missing > active.length) return null
  const addresses: string[] = []
  for (let place = 0; ; place++) {
    const named = active.flatMap((each) => each[place] ?? [])
    const votes = (address: string) => named.filter((each) => each === address).length
    const [best] = [...new Set(named)].sort((a, b) => votes(b) - votes(a))
    if (best === undefined || votes(best) < enough || votes(best) <= named.length - votes(best) + missing) {
      const isContested = new Set(named).size > 1 || (place === 0 && missing > 0)
      if (isContested) throw new ProviderError('providers disagree about a lookup table')
      return addresses
    }
    addresses.push(best)
  }
}
