import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { base58, createBase58check } from '@scure/base'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair as SolanaKeypair, SystemProgram, Transaction } from '@solana/web3.js'
import { Memo, Keypair as StellarKeypair } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { type Hex, verifyMessage } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { Family } from '../../src/chains/chain.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { registry } from '../../src/chains/registry.ts'
import { walletKeys } from '../../src/chains/walletKeys.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { type GeneratedWallet, generateWallet } from '../../src/wallets/generateWallet.ts'
import { parseMnemonic, seedOf } from '../../src/wallets/mnemonic.ts'
import { addresses, bip32, bip39, ofOneKey, sep5, slip10 } from './walletVectors.ts'

const families: Family[] = ['evm', 'solana', 'tron', 'stellar']
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest())

describe('published test vectors', () => {
  test.each(bip39)('BIP-39: %s is a valid phrase', (entropy, phrase, _seed) => {
    const parsed = parseMnemonic(new Secret(phrase))
    expect(parsed instanceof Secret && parsed.reveal()).toBe(phrase)
    expect(hex(mnemonicToEntropy(phrase, wordlist))).toBe(entropy)
  })

  test.each(bip32)('BIP-32: seed %s, %s', (seed, path, extended) => {
    // Version, depth, parent, number, chain code and a zero come before the private key (BIP-32,
    // "Serialization format").
    const privateKey = hex(base58check.decode(extended).subarray(46))
    for (const family of ['evm', 'tron'] as const) {
      expect(walletKeys(family).refusePath(path)).toBeNull()
      expect(walletKeys(family).derive(bytes(seed), path).privateKey.reveal().replace('0x', '')).toBe(
        privateKey,
      )
    }
  })

  test.each(slip10)('SLIP-10: seed %s, %s', (seed, path, privateKey, publicKey) => {
    const solana = walletKeys('solana').derive(bytes(seed), path)
    expect(hex(base58.decode(solana.privateKey.reveal()))).toBe(privateKey + publicKey)
    expect(hex(base58.decode(solana.address))).toBe(publicKey)
    const stellar = walletKeys('stellar').derive(bytes(seed), path)
    const pair = StellarKeypair.fromRawEd25519Seed(bytes(privateKey))
    expect([stellar.address, stellar.privateKey.reveal()]).toEqual([pair.publicKey(), pair.secret()])
    expect(hex(pair.rawPublicKey())).toBe(publicKey)
  })

  test.each(sep5)('SEP-5: $phrase', async ({ phrase, seed, keys }) => {
    expect(hex((await seedOf(new Secret(phrase))).reveal())).toBe(seed)
    for (const [account, pair] of Object.entries(keys)) {
      const made = await generateWallet(
        { family: 'stellar' },
        { mnemonic: new Secret(phrase), derivationPath: `m/44'/148'/${account}'` },
      )
      expect(`${made.address} ${made.privateKey.reveal()}`).toBe(pair)
    }
  })

  test.each(registry.map(({ name, family }) => [name, family] as const))(
    'addresses on %s',
    async (_name, family) => {
      for (const [phrase, derivationPath, address, privateKey] of addresses[family]) {
        const made = await generateWallet(
          { family },
          { mnemonic: new Secret(phrase), ...(derivationPath && { derivationPath }) },
        )
        expect(made.address).toBe(address)
        if (privateKey !== null) expect(made.privateKey.reveal()).toBe(privateKey)
      }
    },
  )

  test.each(families)('one key in the usual formats of %s', (family) => {
    const { key, [family]: address } = ofOneKey
    const written: Record<Family, string[]> = {
      evm: [key, `0x${key}`, `0x${key.toUpperCase()}`],
      tron: [key, `0x${key}`, key.toUpperCase()],
      solana: [
        base58.encode(Buffer.concat([bytes(key), base58.decode(ofOneKey.solana)])),
        JSON.stringify([...bytes(key), ...base58.decode(ofOneKey.solana)]),
      ],
      stellar: [StellarKeypair.fromRawEd25519Seed(bytes(key)).secret()],
    }
    for (const text of written[family])
      expect(addressCodec(family).display(walletKeys(family).parse(new Secret(text))?.address ?? '')).toBe(
        address,
      )
  })
})

/**
 * The chain's own library: address and public key derived from the private key, after verifying a signature.
 */
const imported: Record<Family, (wallet: GeneratedWallet) => Promise<{ address: string; publicKey: string }>> =
  {
    async evm({ address, privateKey }) {
      const account = privateKeyToAccount(privateKey.reveal() as Hex)
      const message = 'signed by a generated wallet'
      expect(
        await verifyMessage({
          address: address as Hex,
          message,
          signature: await account.signMessage({ message }),
        }),
      ).toBe(true)
      return account
    },
    async solana({ privateKey }) {
      const pair = SolanaKeypair.fromSecretKey(base58.decode(privateKey.reveal()))
      const transaction = new Transaction({
        feePayer: pair.publicKey,
        blockhash: base58.encode(Buffer.alloc(32, 1)),
        lastValidBlockHeight: 1,
      })
      transaction
        .add(SystemProgram.transfer({ fromPubkey: pair.publicKey, toPubkey: pair.publicKey, lamports: 1 }))
        .sign(pair)
      expect(transaction.verifySignatures()).toBe(true)
      return { address: pair.publicKey.toBase58(), publicKey: pair.publicKey.toBase58() }
    },
    async tron({ address, privateKey }) {
      const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1', privateKey: privateKey.reveal() })
      expect(await tronWeb.trx.verifyMessageV2('signed', tronWeb.trx.signMessageV2('signed'))).toBe(address)
      const publicKey = hex(
        Uint8Array.from(utils.crypto.getPubKeyFromPriKey([...bytes(privateKey.reveal())])),
      )
      return { address: tronWeb.defaultAddress.base58 || '', publicKey }
    },
    async stellar({ address, privateKey, memo }) {
      const pair = StellarKeypair.fromSecret(privateKey.reveal())
      expect(
        StellarKeypair.fromPublicKey(address).verify(Buffer.from('signed'), pair.sign(Buffer.from('signed'))),
      ).toBe(true)
      expect(Memo.id(memo ?? '').value).toBe(memo)
      return { address: pair.publicKey(), publicKey: pair.publicKey() }
    },
  }

describe('a generated wallet', () => {
  test.each(registry.map(({ name, family }) => [name, family] as const))(
    "of %s has the same address in the chain's own library, and signs there",
    async (_, family) => {
      for (let i = 0; i < 5; i++) {
        const made = await generateWallet({ family })
        expect(await imported[family](made)).toMatchObject({
          address: made.address,
          publicKey: made.publicKey,
        })
      }
    },
  )

  test('is restored from its phrase by libraries that support phrases', async () => {
    const evm = await generateWallet({ family: 'evm' })
    expect(mnemonicToAccount(evm.mnemonic.reveal()).address).toBe(evm.address)
    const otherPath = await generateWallet(
      { family: 'evm' },
      { mnemonic: evm.mnemonic, derivationPath: "m/44'/60'/7'/1/9" },
    )
    expect(mnemonicToAccount(evm.mnemonic.reveal(), { path: "m/44'/60'/7'/1/9" }).address).toBe(
      otherPath.address,
    )
    const tron = await generateWallet({ family: 'tron' })
    expect(TronWeb.fromMnemonic(tron.mnemonic.reveal()).address).toBe(tron.address)
  })
})

describe('any key', () => {
  const seeds = fc.uint8Array({ minLength: 64, maxLength: 64 })
  const steps = fc.array(fc.tuple(fc.oneof(fc.nat(9), fc.nat(2 ** 31 - 1)), fc.boolean()), {
    minLength: 1,
    maxLength: 10,
  })

  test.each(families)(
    "of %s, derived along any path, is parsed to the same key, and matches the chain's library",
    async (family) => {
      const { derive, parse, refusePath } = walletKeys(family)
      const hardened = family === 'solana' || family === 'stellar'
      await fc.assert(
        fc.asyncProperty(seeds, steps, async (seed, path) => {
          const text = `m/${path.map(([index, hard]) => `${index}${hard || hardened ? "'" : ''}`).join('/')}`
          expect(refusePath(text)).toBeNull()
          const key = derive(seed, text)
          const shown = (each: typeof key | null) =>
            each && [each.address, each.publicKey, each.privateKey.reveal()]
          expect(shown(parse(key.privateKey))).toEqual(shown(key))
          const wallet = {
            ...key,
            address: addressCodec(family).display(key.address),
            mnemonic: new Secret(''),
            derivationPath: text,
            memo: '1',
          }
          expect(await imported[family](wallet)).toMatchObject({
            address: wallet.address,
            publicKey: key.publicKey,
          })
        }),
        { numRuns: 25 },
      )
    },
  )

  test.each(families)('of %s is parsed from no other text', (family) => {
    const others = families.filter(
      (each) =>
        each !== family && !(each === 'tron' && family === 'evm') && !(each === 'evm' && family === 'tron'),
    )
    fc.assert(
      fc.property(seeds, fc.string({ unit: 'binary' }), (seed, text) => {
        const own = walletKeys(family).derive(seed, walletKeys(family).defaultPath)
        for (const other of others) expect(walletKeys(other).parse(own.privateKey)).toBeNull()
        for (const wrong of [
          text,
          own.address,
          own.privateKey.reveal().slice(0, -1),
          `${own.privateKey.reveal()}1`,
        ])
          expect(walletKeys(family).parse(new Secret(wrong))).toBeNull()
      }),
      { numRuns: 25 },
    )
  })
})
