import type { Chain } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { invalidBody } from '../platform/errors.ts'

/** The bits of a token's amount: a word of the EVM, a `u64` of Solana's token program. */
const bitsOf = ({ family }: Pick<Chain, 'family'>): bigint => (family === 'solana' ? 64n : 256n)

/** An amount to sell, in base units. @throws ApiError 400 naming `amount` */
export function readAmount(chain: Chain, text: string, decimals: number): bigint {
  const amount = requireAmount(text, decimals, 'amount')
  if (amount < 1n << bitsOf(chain)) return amount
  throw invalidBody({ field: 'amount', message: `is more than a token of ${chain.name} can have` })
}
