import type { Chain } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { invalidBody } from '../platform/errors.ts'

/** The bits of a token's amount: a word of the EVM, a `u64` of Solana's token program. */
const bitsOf = ({ family }: Pick<Chain, 'family'>): bigint => (family === 'solana' ? 64n : 256n)

/** An amount of a request, in base units. @throws ApiError 400 naming the field */
export function readAmount(chain: Chain, text: string, decimals: number, field = 'amount'): bigint {
  const amount = requireAmount(text, decimals, field)
  if (amount < 1n << bitsOf(chain)) return amount
  throw invalidBody({ field, message: `is more than a token of ${chain.name} can have`, code: 'too_large' })
}
