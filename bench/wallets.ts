import { HDKey as Bip32 } from '@scure/bip32'
import { generateMnemonic, mnemonicToSeedWebcrypto } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Keypair as StellarKeypair } from '@stellar/stellar-sdk/base'
import { HDKey as Slip10 } from 'micro-key-producer/slip10.js'
import { TronWeb } from 'tronweb'
import { bytesToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Family } from '../src/chains/chain.ts'
import { walletKeys } from '../src/chains/walletKeys.ts'
import { Secret } from '../src/platform/secrets.ts'
import { generateWallet } from '../src/wallets/generateWallet.ts'
import { benchBalances } from './balances.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'wallets'
const rounds = 21
const warmUp = 2
const walletsPerRound = 50

/** The work of `/crypto/wallets`, part by part. */
export async function* benchWallets(scope: Scope): AsyncGenerator<Report> {
  yield await generation()
  yield await benchBalances(scope)
}

/** Wallets created per second, each with a new phrase, compared with the libraries alone. */
async function generation(): Promise<Report> {
  const report: Report = {
    figures: [],
    notes: [
      `each wallet has a phrase of its own; wallets are created sequentially, ${walletsPerRound} a round. The limit creates phrase, seed, key and address by @scure/bip39, @scure/bip32 or SLIP-10 of micro-key-producer, and the chain's own library. The seed (2,048 rounds of PBKDF2) is derived on another thread by both; CPU time is that of the main thread. Ratios are of times.`,
    ],
  }
  for (const family of Object.keys(bare) as Family[]) report.figures.push(...(await generationOf(family)))
  return report
}

async function generationOf(family: Family): Promise<Report['figures']> {
  await requireSame(family)
  const path = walletKeys(family).defaultPath
  const series = await interleave(`${bench}, ${family}`, { rounds, warmUp }, async () => {
    const limit = await timed(() => repeat(async () => bare[family](await newSeed(newPhrase()), path)))
    const product = await timed(() => repeat(() => generateWallet({ family })))
    return { limit: limit.ms, product: product.ms, limitCpu: limit.cpuMs, productCpu: product.cpuMs }
  })
  const perSecond = (times: readonly number[]) => spread(times.map((ms) => (walletsPerRound / ms) * 1000))
  const cpu = (times: readonly number[]) => ({
    extra: `${digits(spread(times).median / walletsPerRound)} ms CPU each`,
  })
  return [
    figure(bench, `${family}: the libraries alone`, perSecond(series.limit), 'wallets/s', {
      ...cpu(series.limitCpu),
      ratio: 1,
    }),
    figure(bench, `${family}: generated`, perSecond(series.product), 'wallets/s', {
      ...cpu(series.productCpu),
      ratio: ratio(series.product, series.limit),
    }),
  ]
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < walletsPerRound; i++) await work()
}

const newPhrase = () => generateMnemonic(wordlist)
const newSeed = (phrase: string) => mnemonicToSeedWebcrypto(phrase)

/** Derives the address of a seed at a path, by the libraries alone. */
const bare: Record<Family, (seed: Uint8Array, path: string) => string> = {
  evm: (seed, path) =>
    privateKeyToAddress(bytesToHex(Bip32.fromMasterSeed(seed).derive(path).privateKey ?? new Uint8Array())),
  solana: (seed, path) =>
    SolanaKeypair.fromSeed(Slip10.fromMasterSeed(seed).derive(path).privateKey).publicKey.toBase58(),
  tron: (seed, path) =>
    TronWeb.address.fromPrivateKey(
      Buffer.from(Bip32.fromMasterSeed(seed).derive(path).privateKey ?? []).toString('hex'),
    ) || '',
  stellar: (seed, path) =>
    StellarKeypair.fromRawEd25519Seed(
      Buffer.from(Slip10.fromMasterSeed(seed).derive(path).privateKey),
    ).publicKey(),
}

/** @throws when product and libraries derive different addresses */
async function requireSame(family: Family): Promise<void> {
  const phrase = newPhrase()
  const { address, derivationPath } = await generateWallet({ family }, { mnemonic: new Secret(phrase) })
  if (bare[family](await newSeed(phrase), derivationPath) !== address)
    throw new Error(`${family}: product and libraries derive different addresses from one phrase`)
}
