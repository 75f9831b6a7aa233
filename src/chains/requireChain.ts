import { type FieldError, invalidBody } from '../platform/errors.ts'
import { type Chain, knownChain, type Token, tokenOf } from './registry.ts'

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
  { field = 'chain', invalid = invalidBody }: { field?: string; invalid?: (error: FieldError) => Error } = {},
): C {
  const chain = chains.find((each) => each.name === name)
  if (!chain) throw invalid({ field, message: chainUnavailable(name) })
  return chain
}

/** Any known chain, for work that needs no node. @throws ApiError 400 naming `chain` */
export function requireKnownChain(name: string): Chain {
  const chain = knownChain(name)
  if (!chain) throw invalidBody({ field: 'chain', message: `${name} is not a chain that Cowry knows` })
  return chain
}

/**
 * A chain that was removed from the configuration may still have rows. @throws ApiError 400 naming `chain`
 */
export const requireStoredChain = (ctx: { chains: readonly Chain[] }, name: string): Chain =>
  knownChain(name) ?? requireChain(ctx, name)

/** @throws ApiError 400 naming `field` */
export function requireToken(chain: Pick<Chain, 'name' | 'tokens'>, symbol: string, field = 'token'): Token {
  const token = tokenOf(chain, symbol)
  if (!token) throw invalidBody({ field, message: tokenUnavailable(symbol, chain.name) })
  return token
}
