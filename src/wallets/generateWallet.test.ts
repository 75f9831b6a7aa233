import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import { ApiError } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { generateWallet } from './generateWallet.ts'

const families: Family[] = ['evm', 'solana', 'tron', 'stellar']
// A public phrase: BIP-39's first vector.
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const refusal = async (family: Family, options: { mnemonic?: string; derivationPath?: string }) => {
  const { mnemonic, ...rest } = options
  const error = await generateWallet(
    { family },
    { ...rest, ...(mnemonic !== undefined && { mnemonic: new Secret(mnemonic) }) },
  ).then(
    () => 'a wallet was made',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error(`no refusal: ${error}`)
  expect([error.status, error.error, error.fields?.length]).toEqual([400, 'Invalid request body', 1])
  return {
    field: error.fields?.[0]?.field,
    text: `${error.message} ${JSON.stringify(error)} ${error.stack} ${error.cause}`,
  }
}

describe.each(families)('a wallet of %s', (family) => {
  test('is new each time, has 12 words, uses the default path of wallets, and is shown in display form', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => generateWallet({ family })))
    for (const { address, mnemonic, derivationPath } of made) {
      const { normalise, display } = addressCodec(family)
      expect(display(normalise(address) as string)).toBe(address)
      expect(mnemonic.reveal().split(' ')).toHaveLength(12)
      expect(derivationPath).toBe(walletKeys(family).defaultPath)
    }
    expect(new Set(made.map(({ address }) => address)).size).toBe(20)
    expect(new Set(made.map(({ privateKey }) => privateKey.reveal())).size).toBe(20)
  })

  test('is restored from its phrase and path, in any spelling of the phrase', async () => {
    const derivationPath = `${walletKeys(family).defaultPath.slice(0, 8)}77'/3'`
    const made = await generateWallet({ family }, { derivationPath })
    const written = ` ${made.mnemonic.reveal().toUpperCase().replaceAll(' ', '\n ')} `
    const again = await generateWallet({ family }, { mnemonic: new Secret(written), derivationPath })
    const shown = ({ address, publicKey, privateKey, mnemonic }: typeof made) => [
      address,
      publicKey,
      privateKey.reveal(),
      mnemonic.reveal(),
    ]
    expect(shown(again)).toEqual(shown(made))
    const elsewhere = await generateWallet({ family }, { mnemonic: made.mnemonic })
    expect(elsewhere.address).not.toBe(made.address)
  })

  test('shows neither phrase nor private key when printed', async () => {
    const made = await generateWallet({ family })
    const printed = `${JSON.stringify(made)} ${Object.values(made).join(' ')}`
    expect(printed).toContain(made.address)
    expect(printed).not.toContain(made.privateKey.reveal())
    expect(printed).not.toContain(made.mnemonic.reveal())
  })

  test('has a memo on Stellar only: an id that signed and unsigned readers agree on', async () => {
    const made = await generateWallet({ family })
    expect(Object.keys(made).filter((key) => key.startsWith('memo'))).toEqual(
      family === 'stellar' ? ['memo', 'memoType'] : [],
    )
    if (made.memo === undefined) return
    expect(made.memoType).toBe('id')
    const memos = (await Promise.all(Array.from({ length: 50 }, () => generateWallet({ family })))).map(
      ({ memo }) => BigInt(memo ?? 0),
    )
    expect(memos.every((memo) => memo > 0n && memo < 2n ** 63n)).toBe(true)
    expect(new Set(memos).size).toBe(50)
    // Of 63 bits: 50 random ones all below 2^53 are practically impossible.
    expect(memos.some((memo) => memo > 2n ** 53n)).toBe(true)
  })

  test('is refused for an invalid phrase, naming the field and quoting no part of it', async () => {
    const near = phrase.replace('about', 'zebra')
    for (const mnemonic of ['', near, `${phrase} about`, phrase.replace('about', 'canaryword')]) {
      const { field, text } = await refusal(family, { mnemonic })
      expect(field).toBe('mnemonic')
      for (const word of ['abandon', 'zebra', 'canaryword']) expect(text).not.toContain(word)
    }
  })

  test.each([
    '',
    'm',
    'm/',
    '/',
    "44'/60'/0'",
    "n/44'/0'",
    "M/44'/0'",
    "m//44'",
    "m/44'/",
    "m/44'//0'",
    " m/44'",
    "m/44' ",
    "m/44'\n",
    "m/x'",
    "m/44'/-1'",
    "m/1.5'",
    "m/0x1'",
    "m/1e3'",
    "m/44''",
    "m/'44",
    'm/44h',
    'm/44’',
    "m/44'/2147483648'",
    'm/2147483648',
    "m/99999999999999999999'",
    `m${"/1'".repeat(11)}`,
    `m${"/1'".repeat(5000)}`,
  ])('is refused at %j, naming the field', async (derivationPath) => {
    const { field, text } = await refusal(family, { derivationPath, mnemonic: phrase })
    expect(field).toBe('derivationPath')
    expect(text).not.toContain('abandon')
    if (derivationPath.length > 3) expect(text).not.toContain(derivationPath)
  })

  test('is refused for any text that is not a path, without another failure', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[mM/0-9'h.\- ]{0,40}$/)),
        async (derivationPath) => {
          if (walletKeys(family).refusePath(derivationPath) === null)
            await generateWallet({ family }, { derivationPath })
          else expect((await refusal(family, { derivationPath })).field).toBe('derivationPath')
        },
      ),
    )
  })

  test(`is ${family === 'evm' || family === 'tron' ? 'made' : 'refused'} along a path that is not fully hardened`, async () => {
    for (const derivationPath of ['m/0', "m/44'/501/0'", "m/44'/148'/0"]) {
      if (family === 'evm' || family === 'tron')
        expect((await generateWallet({ family }, { derivationPath })).derivationPath).toBe(derivationPath)
      else expect((await refusal(family, { derivationPath })).field).toBe('derivationPath')
    }
  })
})
