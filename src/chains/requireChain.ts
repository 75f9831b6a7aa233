import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { hintOf } from '../platform/nearMiss.ts'
import { type Chain, chainNames, knownChain, type Token, tokenOf } from './registry.ts'

// The checks of a request's chain and token, for all routes.

export const chainUnavailable = (name: string): string => `${name} is not available on this deployment`
export const tokenUnavailable = (symbol: string, chain: string): string =>
  `${symbol} is not available on ${chain}`

/**
 * A configured chain.
 * @param invalid for a chain in a path or query: `invalidParameters`
 * @throws ApiError 400 naming `field`
 */
export function requireChain<C extends { name: string }>(
  { chains }: { chains: readonly C[] },
  name: string,
  {
    field = 'chain',
    invalid = invalidBody,
  }: { field?: string; invalid?: (error: FieldMistake) => Error } = {},
): C {
  const chain = chains.find((each) => each.name === name)
  if (chain) return chain
  const names = chains.map((each) => each.name)
  const hint = hintOf(name, names)
  const message = `${chainUnavailable(name)}; this deployment has ${names.join(', ')}${hint}`
  throw invalid({ field, message, code: knownChain(name) ? 'unavailable_chain' : 'unknown_chain' })
}

/** Any known chain, for work that needs no node. @throws ApiError 400 naming `chain` */
export function requireKnownChain(name: string): Chain {
  const chain = knownChain(name)
  if (chain) return chain
  const message = `${name} is not a chain that Cowry knows; it knows ${chainNames.join(', ')}${hintOf(name, chainNames)}`
  throw invalidBody({ field: 'chain', message, code: 'unknown_chain' })
}

/**
 * A chain that was removed from the configuration may still have rows. @throws ApiError 400 naming `chain`
 */
export const requireStoredChain = (ctx: { chains: readonly Chain[] }, name: string): Chain =>
  knownChain(name) ?? requireChain(ctx, name)

/** @throws ApiError 400 naming `field` */
export function requireToken(chain: Pick<Chain, 'name' | 'tokens'>, symbol: string, field = 'token'): Token {
  const token = tokenOf(chain, symbol)
  if (token) return token
  throw invalidBody({ field, message: tokenUnavailable(symbol, chain.name), code: 'unavailable_token' })
}
