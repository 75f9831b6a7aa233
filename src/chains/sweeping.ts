import type { Secret } from '../platform/secrets.ts'
import type { Action, Token } from './action.ts'
import type { ConfiguredChain } from './registry.ts'

/** Ports for moving what deposit addresses hold to the treasury. */

/** Whose native coin pays: that of the deposit address, which signs alone, or the treasury's. */
export type SweepPayer = 'deposit' | 'treasury'

/** What one deposit address gives up. */
export interface SweepItem {
  /** Normal form. */
  address: string
  /** Null for the native coin. */
  token: Token | null
  /** Base units; more than zero. */
  amount: bigint
  /** Where a move needs one; null elsewhere. */
  authorization: Authorization | null
  /** Solana: the token's account ends empty and is closed, so that its rent reaches the treasury. */
  closes?: boolean
}

/** A holder's signed statement that its tokens may move to the treasury (EIP-3009). */
export interface Authorization {
  /** 32 bytes. */
  nonce: Uint8Array
  validBefore: Date
  signature: Uint8Array
}

export type AuthorizationState = 'unused' | 'used' | 'final'

/** A price that is fixed before signing, so that an address ends empty. EVM only; null elsewhere. */
export interface FixedPrice {
  gasPrice: bigint | null
  gasLimit: bigint | null
}

export type SweptChain = Pick<
  ConfiguredChain,
  'name' | 'family' | 'network' | 'native' | 'tokens' | 'lookalikes'
>

/**
 * Builds what a sweep sends, without a node: the worker stores the action, and the treasury works it out
 * again from the same items, byte for byte.
 */
export interface SweepActions {
  payer(token: Pick<Token, 'contract'> | null): SweepPayer
  /** How many items one transaction of the treasury carries at most. */
  readonly maxItems: number
  /** How many of these, from the first on, fit in one transaction. Without it: `maxItems`. */
  fitting?(items: readonly SweepItem[], treasury: string): number
  /** A token's account that ends empty can be closed. Only Solana. */
  readonly closesAccounts?: true
  /**
   * @param treasury normal form
   * @throws Error for items that one transaction cannot carry
   */
  action(items: readonly SweepItem[], treasury: string, price: FixedPrice): Action
  readonly authorizing?: Authorizing
}

/** Tokens that move by a statement of their holder alone. */
export interface Authorizing {
  /** Moves of this token need an authorization. */
  needs(token: Pick<Token, 'contract'>): boolean
  sign(
    move: Omit<SweepItem, 'authorization'> & { token: Token },
    treasury: string,
    of: Omit<Authorization, 'signature'>,
    key: Secret,
  ): Uint8Array
}

/** A node's reads for sweeps. Every method may throw ProviderError. */
export interface SweepReader {
  /** Base units of the native coin that moving an asset of one address costs now, gas funding included. */
  cost(token: Token | null, payer: SweepPayer): Promise<bigint>
  /**
   * How an address sends all of `amount` of the native coin, its fee included.
   * @returns null if the fee takes all of it
   */
  wholeNative(
    address: string,
    treasury: string,
    amount: bigint,
  ): Promise<(FixedPrice & { amount: bigint }) | null>
  /** False where the token is not that of the registry, and would refuse our authorizations. */
  takesAuthorizations?(token: Token): Promise<boolean>
  /** Checks if an authorization was used, by any sender: in the newest block, or in a final one. */
  authorizationState?(token: Token, address: string, nonce: Uint8Array): Promise<AuthorizationState>
  /** Checks if one transaction can carry several items. Without it: yes. */
  batches?(): Promise<boolean>
}
