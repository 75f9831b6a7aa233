import type { Secret } from '../platform/secrets.ts'

/** One key of a chain's user. */
export interface WalletKey {
  /** Normal form of the family. */
  address: string
  /** In the form that the chain's wallets import. */
  privateKey: Secret
  /** In the form that the chain's libraries show. */
  publicKey: string
}

/** Creates and parses keys of a chain's users, never the platform's own. */
export interface WalletKeys {
  /** The path of the first account in the chain's wallets. */
  readonly defaultPath: string
  /**
   * The reason to refuse a derivation path, as the rest of a sentence after the path's name; null if it is
   * valid.
   */
  refusePath(path: string): string | null
  /** @param seed 64 bytes, BIP-39 @param path accepted by `refusePath` */
  derive(seed: Uint8Array, path: string): WalletKey
  /** Parses a private key in any form that users of the chain have; null if the text is not valid. */
  parse(privateKey: Secret): WalletKey | null
}
