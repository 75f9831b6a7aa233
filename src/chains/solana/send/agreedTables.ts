import { pause } from '../../../platform/wait.ts'
import { ProviderError } from '../../chain.ts'
import { accountsOf } from '../chainState.ts'
import { tableAddresses } from './lookupTable.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/** Addresses of a lookup table in their order; null: not an active table. */
type Table = readonly string[] | null

/**
 * Lookup tables by every provider: they decide which accounts a transaction names, so that one wrong answer
 * must not. Of several providers, at least two must name an address at its place, and more than name another.
 * A table only grows: places that too few know yet are left out.
 * @param names at least one
 * @throws ProviderError where they do not agree, or too few answer
 */
export async function agreedTables(
  { providers }: Pick<SolanaSenderContext, 'providers'>,
  names: readonly string[],
): Promise<Map<string, Table>> {
  const read = (own: string) =>
    providers.ask(
      async (rpc) => (await accountsOf(rpc, names)).map(tableAddresses),
      (name) => name === own,
    )
  const enough = Math.min(2, providers.names.length)
  const ready = providers.states().filter(({ open, wrongChain }) => !open && !wrongChain)
  // One that is doubted, or that has failed, has no vote where others suffice.
  const asked = (ready.length >= enough ? ready.map(({ name }) => name) : providers.names).map(read)
  const answers: Table[][] = []
  const [failures, reached] = [[] as unknown[], Promise.withResolvers<void>()]
  const settled = Promise.all(
    asked.map((each) =>
      each.then(
        (answer) => {
          if (answer !== null) answers.push(answer)
          if (answers.length >= enough) reached.resolve()
        },
        (error) => void failures.push(error),
      ),
    ),
  )
  const over = new AbortController()
  await Promise.race([
    settled.then(() => over.abort()),
    reached.promise.then(() => pause(graceMs, over.signal)),
  ])
  if (answers.length < enough)
    throw failures[0] ?? new ProviderError('too few providers answered about lookup tables')
  try {
    return allAgreed(answers, names, enough)
  } catch (error) {
    if (!(error instanceof ProviderError) || answers.length === asked.length) throw error
    // A late one decides.
    await settled
    return allAgreed(answers, names, enough)
  }
}

/** For the others, once enough have answered: one that hangs does not delay. */
const graceMs = 1000

/** @throws ProviderError */
function allAgreed(
  answers: readonly Table[][],
  names: readonly string[],
  enough: number,
): Map<string, Table> {
  const tablesAt = (index: number) => answers.map((each) => each[index] ?? null)
  return new Map(names.map((name, index) => [name, agreed(tablesAt(index), enough)]))
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
