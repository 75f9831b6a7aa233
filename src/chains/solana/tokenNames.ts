import { ExtensionType, getExtensionData } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { Account, Mint } from './chainState.ts'

/**
 * Metaplex Token Metadata: names mints that have no metadata of their own (Metaplex docs, "Token Metadata").
 */
const metaplex = new PublicKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
/** First byte of its `MetadataV1` accounts. */
const metadataKind = 4

/** The address of a mint's Metaplex metadata. */
export const metadataAddressOf = (mint: string): string => {
  const seeds = [Buffer.from('metadata'), metaplex.toBuffer(), new PublicKey(mint).toBuffer()]
  return PublicKey.findProgramAddressSync(seeds, metaplex)[0].toBase58()
}

/**
 * The mint's symbol, by its own extension (Token-2022) or by Metaplex. The mint's creator writes both.
 * @param nameAccount the account at `metadataAddressOf`
 * @returns null without a printable symbol
 */
export function symbolOf(address: string, mint: Mint, nameAccount: Account | null): string | null {
  const own = extensionOf(mint)
  // Layout: authority, mint, name, symbol, … (Token-2022 docs, "Metadata"); Metaplex puts the kind before it.
  if (own) return symbolAfter(own, 32, address)
  if (nameAccount?.owner !== metaplex.toBase58() || nameAccount.data[0] !== metadataKind) return null
  return symbolAfter(nameAccount.data, 33, address)
}

function extensionOf({ tlvData }: Mint): Buffer | null {
  try {
    return getExtensionData(ExtensionType.TokenMetadata, tlvData)
  } catch {
    return null
  }
}

/** @param at offset of the mint's address; name and symbol follow, each after its length in four bytes */
function symbolAfter(data: Buffer, at: number, address: string): string | null {
  try {
    if (!new PublicKey(data.subarray(at, at + 32)).equals(new PublicKey(address))) return null
    const nameLength = data.readUInt32LE(at + 32)
    const length = data.readUInt32LE(at + 36 + nameLength)
    const start = at + 40 + nameLength
    if (start + length > data.length) return null
    return printable(new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(start, start + length)))
  } catch {
    return null
  }
}

/**
 * Removes Metaplex's padding of NULs. Accepts letters, digits and signs of any script; rejects control and
 * direction characters.
 */
function printable(text: string): string | null {
  const trimmed = text.replaceAll('\0', '').trim()
  return /^[\p{L}\p{N}\p{P}\p{S} ]{1,32}$/u.test(trimmed) ? trimmed : null
}
