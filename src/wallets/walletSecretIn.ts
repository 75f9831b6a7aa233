import { walletKeys } from '../chains/walletKeys.ts'
import { Secret } from '../platform/secrets.ts'
import { readsAsPhrase } from './mnemonic.ts'

/**
 * The shortest phrase, twelve words of three letters, and the longest, 24 of eight with a number and a point
 * before each.
 */
const [minPhrase, maxPhrase] = [47, 400]

/**
 * True when a text is a BIP-39 phrase, in any spelling and separation of its words, or contains a secret seed
 * of Stellar; both with a valid checksum.
 */
export function holdsWalletSecret(text: string): boolean {
  if (text.length < minPhrase) return false
  return (
    isPhrase(text) ||
    (text.match(/(?<![A-Z2-7])S[A-Z2-7]{55}(?![A-Z2-7])/g) ?? []).some(
      (each) => walletKeys('stellar').parse(new Secret(each)) !== null,
    )
  )
}

function isPhrase(text: string): boolean {
  if (text.length > maxPhrase) return false
  return readsAsPhrase(text.toLowerCase().match(/[a-z]+/g) ?? [])
}

/**
 * The usual forms of private keys: 32 or 64 bytes in hex, base64 or as a list of numbers, 64 in base58.
 * Hashes, transaction ids and signatures have the same form, so use it only for texts that never hold these.
 */
const keyForms = [
  /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i,
  // With base64 padding: without it a long name without spaces has the same form.
  /^([\w+/-]{43}=|[\w+/-]{86}==)$/,
  /^[1-9A-HJ-NP-Za-km-z]{86,88}$/,
  /^\[?\s*\d{1,3}(\s*,\s*\d{1,3}){31}((\s*,\s*\d{1,3}){32})?\s*\]?$/,
]

/** True when the whole text may be a private key. */
export const hasKeyForm = (text: string): boolean => keyForms.some((form) => form.test(text.trim()))
