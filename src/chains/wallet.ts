import type { Secret } from '../platform/secrets.ts'

/** One key of a chain's user, and what is shown of it. */
export interface WalletKey {
  /** Normal form of the family. */
  address: string
  /** In the form that the chain's own wallets import. */
  privateKey: Secret
  /** In the form that the chain's own libraries show. */
  publicKey: string
}

/** Makes and reads the keys of a chain's users. Nothing here is of the platform's own. */
export interface WalletKeys {
  /** Where the chain's wallets keep their first account. */
  readonly defaultPath: string
  /** Why no key can be derived along a path, in words that follow the path's name; null where one can. */
  refusePath(path: string): string | null
  /**
   * @param seed 64 bytes, BIP-39
   * @param path one that `refusePath` takes
   */
  derive(seed: Uint8Array, path: string): WalletKey
  /** A private key in any form that users of the chain have it in; null where the text is none. */
  parse(privateKey: Secret): WalletKey | null
}
