import { base58 } from '@scure/base'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { HDKey } from 'micro-key-producer/slip10.js'
import { hexToBytes } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** A planted secret that a test searches for. */
export interface Canary {
  name: string
  kind: CanaryKind
  /** Forms in which owners write it, also by mistake; the chain's usual form first. */
  written: readonly string[]
  /** The key's bytes, or the phrase's seed. */
  bytes: Uint8Array
  /** A text with one of these contains the secret, or at least a quarter of it. One character per byte. */
  traces: readonly string[]
}

export const canaryKinds = ['ethereum', 'solana', 'stellar', 'phrase'] as const
export type CanaryKind = (typeof canaryKinds)[number]

/** Length of a trace: too long to match by chance, short enough to match a truncated text. */
const traceLength = 16

/** @param dice reproducible numbers from 0 to 1 */
export function makeCanary(kind: CanaryKind, name: string, dice: () => number): Canary {
  const bytes = Uint8Array.from({ length: 32 }, () => Math.floor(dice() * 256))
  if (kind === 'phrase') return phraseCanary(name, bytes.subarray(0, 16))
  // Below the order of secp256k1.
  bytes[0] = (bytes[0] ?? 0) & 0x7f
  const written = { ethereum: formsOnEvm, solana: formsOnSolana, stellar: formsOnStellar }[kind](bytes)
  return { name, kind, bytes, written, traces: tracesOf(bytes, written) }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const formsOnEvm = (bytes: Uint8Array) => [
  `0x${hexOf(bytes)}`,
  hexOf(bytes),
  hexOf(bytes).toUpperCase(),
  Buffer.from(bytes).toString('base64'),
]
function formsOnSolana(bytes: Uint8Array): string[] {
  const whole = SolanaKeypair.fromSeed(bytes).secretKey
  return [
    base58.encode(whole),
    JSON.stringify([...whole]),
    hexOf(whole),
    Buffer.from(whole).toString('base64'),
  ]
}
const formsOnStellar = (bytes: Uint8Array) => [
  StellarKeypair.fromRawEd25519Seed(Buffer.from(bytes)).secret(),
  hexOf(bytes),
  Buffer.from(bytes).toString('base64'),
]

/** The phrase, its entropy, its seed, and the keys that wallets derive from it. */
function phraseCanary(name: string, entropy: Uint8Array): Canary {
  const phrase = entropyToMnemonic(entropy, wordlist)
  const words = phrase.split(' ')
  const seed = mnemonicToSeedSync(phrase)
  const onEvm = hexToBytes(toHexKey(mnemonicToAccount(phrase).getHdKey().privateKey))
  const [onSolana, onStellar] = ["m/44'/501'/0'/0'", "m/44'/148'/0'"].map(
    (path) => HDKey.fromMasterSeed(seed).derive(path).privateKey,
  )
  const parts = [words.slice(0, 4), words.slice(4, 8), words.slice(8)].map((part) => part.join(' '))
  const derived = [
    ...tracesOf(onEvm, formsOnEvm(onEvm)),
    ...(onSolana ? tracesOf(onSolana, formsOnSolana(onSolana)) : []),
    ...(onStellar ? tracesOf(onStellar, formsOnStellar(onStellar)) : []),
  ]
  const raw = [entropy, seed].flatMap((bytes) => tracesOf(bytes, []))
  return {
    name,
    kind: 'phrase',
    bytes: seed,
    written: [phrase, phrase.toUpperCase(), words.join('\n'), JSON.stringify(words)],
    traces: [
      ...parts,
      ...parts.map((part) => part.toUpperCase()),
      words.slice(0, 4).join('","'),
      ...['\n', '\\n'].map((between) => words.slice(0, 4).join(between)),
      ...raw,
      ...derived,
    ],
  }
}

const toHexKey = (key: Uint8Array | null): `0x${string}` => `0x${hexOf(key ?? new Uint8Array(32))}`

function tracesOf(bytes: Uint8Array, written: readonly string[]): string[] {
  const hex = hexOf(bytes)
  const base64 = Buffer.from(bytes).toString('base64').replaceAll('=', '')
  const raw = Buffer.from(bytes).toString('latin1')
  const ends = [hex, hex.toUpperCase(), base64, raw].flatMap((form) => [
    form.slice(0, traceLength),
    form.slice(-traceLength),
  ])
  const url = Buffer.from(bytes).toString('base64url').slice(0, traceLength)
  const list = [...bytes.slice(0, 8)]
  const starts = written.map((form) => form.replace(/^0x|^\[/, '').slice(0, traceLength))
  // The written form may have been encoded again.
  const twice = written.map((form) => Buffer.from(form).toString('base64').slice(0, traceLength))
  return [
    ...new Set([
      ...ends,
      url,
      list.join(','),
      list.join(', '),
      base58.encode(bytes).slice(0, traceLength),
      ...starts,
      ...twice,
    ]),
  ]
}

/**
 * A near copy of a canary, with one character or word changed. Separate, because it must stay just as secret.
 */
export function misspelt({ kind, written, name, bytes }: Canary): Canary {
  const [first = ''] = written
  if (kind === 'phrase') {
    const words = first.split(' ')
    const wrong = [...words.slice(0, 8), 'zoological', ...words.slice(9)].join(' ')
    return {
      name: `${name}, misspelt`,
      kind,
      bytes,
      written: [wrong],
      traces: [words.slice(0, 4).join(' '), words.slice(4, 8).join(' ')],
    }
  }
  const at = first.length - 20
  const changed = `${first.slice(0, at)}${first.charAt(at) === 'A' ? 'B' : 'A'}${first.slice(at + 1)}`
  return {
    name: `${name}, misspelt`,
    kind,
    bytes,
    written: [changed],
    traces: [changed.replace(/^0x/, '').slice(0, traceLength), changed.slice(-traceLength)],
  }
}
