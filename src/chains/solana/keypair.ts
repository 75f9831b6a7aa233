import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'

/** An ed25519 key pair. `seed` is the secret half (32 bytes), `address` the public half in base58. */
export interface Keypair {
  seed: Uint8Array
  address: string
}

const [seedBytes, pairBytes] = [32, 64]
/**
 * Far above both forms: 64 bytes are at most 88 characters in base58, and a list of 64 numbers is a few
 * hundred.
 */
const maxCharacters = 1000

export function keypairOf(seed: Uint8Array): Keypair {
  return { seed, address: base58.encode(ed25519.getPublicKey(seed)) }
}

/** The form that wallets import: secret half, then public half, in base58. */
export const exportKeypair = ({ seed, address }: Keypair): string =>
  base58.encode(Uint8Array.from([...seed, ...base58.decode(address)]))

/**
 * Reads 64 bytes in base58, or as the list of numbers in solana-keygen's file (Solana docs, "File system
 * wallets"). The public half must match the secret half. 32 bytes alone are rejected: they could be an
 * address.
 * @returns null if the text is not a key pair
 */
export function readKeypair(text: string): Keypair | null {
  const bytes = text.length <= maxCharacters ? (bytesOfList(text) ?? bytesOfBase58(text)) : null
  if (bytes?.length !== pairBytes) return null
  const pair = keypairOf(bytes.slice(0, seedBytes))
  return base58.encode(bytes.subarray(seedBytes)) === pair.address ? pair : null
}

function bytesOfBase58(text: string): Uint8Array | null {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

function bytesOfList(text: string): Uint8Array | null {
  try {
    const list: unknown = JSON.parse(text)
    const isByte = (each: unknown) =>
      Number.isInteger(each) && (each as number) >= 0 && (each as number) <= 255
    return Array.isArray(list) && list.every(isByte) ? Uint8Array.from(list as number[]) : null
  } catch {
    return null
  }
}
