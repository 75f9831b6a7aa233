import { parseUnits } from 'viem'

/** What a customer of a devnet is asked to pay: what a session says. */
export interface Order {
  address: string
  memo?: string | undefined
  /** The token's contract, mint, or `CODE:ISSUER`. */
  token: string
  /** Whole tokens, as a decimal string. */
  amount: string
  decimals: number
}

/** Where the customer's money is. */
export interface Purse {
  rpcUrl: string
  /** In the form of the chain's own library. */
  faucetPrivateKey: string
}

/** Whole tokens in base units, by a library and not by what is tested. */
export const baseUnits = parseUnits
