import { assetsOf, chainNames, knownChain } from '../chains/registry.ts'
import type { FieldMistake } from '../platform/errors.ts'
import { hintOf } from '../platform/nearMiss.ts'

/**
 * Which events an endpoint gets, besides its types; null: all. An event that has no chain, token or reference
 * passes.
 */
export interface Filters {
  chains: string[] | null
  tokens: string[] | null
  referencePrefix: string | null
}

export const noFilters: Filters = { chains: null, tokens: null, referencePrefix: null }

/** What a request does not name stays. */
export const changedFilters = (before: Filters, change: Partial<Filters>): Filters => ({
  chains: change.chains === undefined ? before.chains : change.chains,
  tokens: change.tokens === undefined ? before.tokens : change.tokens,
  referencePrefix: change.referencePrefix === undefined ? before.referencePrefix : change.referencePrefix,
})

/** Checks tokens: a misspelt one would silence the endpoint. The contract has the chains. */
export function requireFilters({ tokens }: Partial<Filters>): FieldMistake[] {
  const known = [
    ...new Set(
      chainNames.flatMap((name) => {
        const chain = knownChain(name)
        return chain ? assetsOf(chain).map(({ symbol }) => symbol) : []
      }),
    ),
  ]
  return (tokens ?? []).flatMap((token, at) =>
    known.includes(token)
      ? []
      : [
          {
            field: `tokens.${at}`,
            message: `is not a token that Cowry knows; it knows ${known.join(', ')}${hintOf(token, known)}`,
            code: 'unknown_token' as const,
          },
        ],
  )
}
