import { ExtensionType, getExtensionData } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { Account, Mint } from './chainState.ts'

/** Metaplex Token Metadata: where mints are named that do not name themselves (Metaplex docs, "Token Metadata"). */
const metaplex = new PublicKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
/** First byte of its accounts of this kind, `MetadataV1`. */
const metadataKind = 4

/** Where Metaplex has a mint's name. */
export const namePlaceOf = (mint: string): string => {
  const seeds = [Buffer.from('metadata'), metaplex.toBuffer(), new PublicKey(mint).toBuffer()]
  return PublicKey.findProgramAddressSync(seeds, metaplex)[0].toBase58()
}

/**
 * The symbol that a mint has by its own extension (Token-2022), or else by Metaplex. Both are written by whoever made the mint.
 * @param named the account at `namePlaceOf`
 * @returns null where there is none, or none that can be shown
 */
export function symbolOf(address: string, mint: Mint, named: Account | null): string | null {
  const own = extensionOf(mint)
  // An authority, the mint, then name, symbol and more (Token-2022 docs, "Metadata"; Metaplex, with the kind before it).
  if (own) return symbolBehind(own, 32, address)
  if (named?.owner !== metaplex.toBase58() || named.data[0] !== metadataKind) return null
  return symbolBehind(named.data, 33, address)
}

function extensionOf({ tlvData }: Mint): Buffer | null {
  try {
    return getExtensionData(ExtensionType.TokenMetadata, tlvData)
  } catch {
    return null
  }
}

/** @param at where the mint's address is: name and symbol follow, each with its length in four bytes before it */
function symbolBehind(data: Buffer, at: number, address: string): string | null {
  try {
    if (!new PublicKey(data.subarray(at, at + 32)).equals(new PublicKey(address))) return null
    const nameLength = data.readUInt32LE(at + 32)
    const length = data.readUInt32LE(at + 36 + nameLength)
    const start = at + 40 + nameLength
    if (start + length > data.length) return null
    return shown(new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(start, start + length)))
  } catch {
    return null
  }
}

/** Metaplex fills up with NULs. Letters, digits and signs of any script; nothing that steers how a text is written. */
function shown(text: string): string | null {
  const trimmed = text.replaceAll('\0', '').trim()
  return /^[\p{L}\p{N}\p{P}\p{S} ]{1,32}$/u.test(trimmed) ? trimmed : null
}
