import { sumOf } from '../money/amount.ts'
import type { ChainDrift } from './context.ts'
import type { CheckedChain } from './expected.ts'

/** What an asset of a deposit address has more than in the books; negative: less. Base units. */
export interface Movement {
  address: string
  symbol: string
  amount: bigint
}

export interface LostSweeps {
  movements: readonly Movement[]
  /**
   * Native coin that deposit addresses and the treasury have lost together: fees of the networks, if no one
   * other has it.
   */
  cost: bigint
  /** What the fees of so many sweeps can be at most. */
  maxCost: bigint
}

/** At most two transactions for each address: gas, and what moves its money. */
const transactionsOfAddress = 2n

/**
 * Reads from the differences of a check what sweeps have moved whose rows are lost. The treasury signs
 * nothing from a deposit address but to itself. So what an address has less went there, if the treasury has
 * as much more.
 * @returns null if no deposit address has less; a text: why it cannot have been sweeps
 */
export function lostSweeps(
  { native, maxFee }: Pick<CheckedChain, 'native' | 'maxFee'>,
  treasury: string,
  drift: readonly ChainDrift[],
): LostSweeps | string | null {
  const coin = native.symbol
  const differing: Movement[] = drift.flatMap(({ address, symbol, expected, found }) =>
    address === null ? [] : [{ address, symbol, amount: found - expected }],
  )
  const ofDeposits = differing.filter(({ address }) => address !== treasury)
  const left = new Set(ofDeposits.filter(({ amount }) => amount < 0n).map(({ address }) => address))
  // A token that an address has more was paid by a customer. Its coin may be what the gas of a sweep has
  // left.
  const movements = ofDeposits.filter(
    ({ address, symbol, amount }) => amount < 0n || (symbol === coin && left.has(address)),
  )
  if (movements.length === 0) return null
  const arrived = (asset: string) =>
    sumOf(differing.filter(({ address, symbol }) => address === treasury && symbol === asset))
  for (const symbol of new Set(movements.map((each) => each.symbol))) {
    const gone = -sumOf(movements.filter((each) => each.symbol === symbol))
    if (symbol !== coin && arrived(symbol) < gone)
      return `${symbol} left deposit addresses, and the treasury does not have all of it`
  }
  const cost = -(sumOf(movements.filter(({ symbol }) => symbol === coin)) + arrived(coin))
  return { movements, cost, maxCost: transactionsOfAddress * BigInt(left.size) * maxFee }
}
