import { parseUnits } from 'viem'

/** The payment that a session requests from a customer. */
export interface Order {
  address: string
  memo?: string | undefined
  /** The token's contract, mint, or `CODE:ISSUER`. */
  token: string
  /** Whole tokens, as a decimal string. */
  amount: string
  decimals: number
}

/** The account a customer pays from. */
export interface Purse {
  rpcUrl: string
  /** In the format of the chain's own library. */
  faucetPrivateKey: string
}

/** Whole tokens to base units, by a library: independent of the code under test. */
export const baseUnits = parseUnits
