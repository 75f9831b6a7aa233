import { readable } from '../books/readable.ts'
import type { WalletBalance } from './types.ts'

interface BalanceRow {
  id: string
  symbol: string
  /** The token's address; null: the native coin. */
  address: string | null
  /** In whole units; null where it cannot be read. */
  amount: string | null
  problem: string
  /** What one transfer can send, where that is less. */
  sendable: string | null
}

const problems = {
  not_a_token: 'There is no such token',
  unreadable: 'It cannot be read now',
  no_decimals: 'It has no unit',
  bad_symbol: 'Its name cannot be shown',
} as const

/** The native coin first, then each token. */
export function balanceRows({ balances: { native, tokens } }: WalletBalance): BalanceRow[] {
  const coin = {
    id: 'native',
    symbol: native.symbol,
    address: null,
    amount: `${readable(native.balance).text} ${native.symbol}`,
    problem: '',
    sendable: null,
  }
  return [
    coin,
    ...tokens.map(({ address, symbol, balance, sendable, problem }) => ({
      id: address,
      symbol: symbol ?? 'Token',
      address,
      amount: balance === null ? null : `${readable(balance).text} ${symbol ?? ''}`.trim(),
      problem: problem ? problems[problem] : problems.unreadable,
      sendable: sendable === undefined ? null : `${readable(sendable).text} ${symbol ?? ''}`.trim(),
    })),
  ]
}

/** What can be sent of the native coin, or of a token, in whole units; null where it is not known. */
export function heldOf(
  { balances: { native, tokens } }: WalletBalance,
  token: 'native' | 'usdc' | 'usdt',
): string | null {
  if (token === 'native') return native.balance
  const held = tokens.find(({ symbol }) => symbol?.toLowerCase() === token)
  return held?.sendable ?? held?.balance ?? null
}
