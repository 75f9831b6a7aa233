import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { canaryKinds, makeCanary } from '../../test/promises/canaries.ts'
import { hasKeyForm, holdsWalletSecret } from './walletSecretIn.ts'

const canaries = canaryKinds.map((kind) =>
  makeCanary(kind, kind, () => randomBytes(4).readUInt32LE() / 2 ** 32),
)
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const seed = 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'

describe('a text', () => {
  test.each([
    ['a phrase', phrase],
    ['with other spaces and letters', `  ${phrase.toUpperCase().replaceAll(' ', '\n ')}\n`],
    [
      'numbered',
      phrase
        .split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join(', '),
    ],
    ['as JSON', JSON.stringify(phrase.split(' '))],
    ['a phrase of 24 words', `${'abandon '.repeat(23)}art`],
    ['a secret seed', seed],
    ['a secret seed among other words', `the till's key: ${seed}, do not lose it`],
  ])("that is %s is a wallet's secret", (_what, text) => {
    expect(holdsWalletSecret(text)).toBe(true)
  })

  test.each([
    ['of eleven words', 'abandon '.repeat(11)],
    ['of words of BIP-39 without their checksum', `${'abandon '.repeat(11)}abandon`],
    ['a sentence of such words', 'please sell fresh fruit market table two orange lemon apple rice sugar'],
    ['of words that are in no list', 'the quick brown fox jumps over the lazy dog and then it sleeps'],
    ['like a secret seed, with another checksum', seed.replace(/N$/, 'M')],
    ['that is an address of Stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
    ['that is a hash', 'ab'.repeat(32)],
    ['that is long', `${phrase} `.repeat(20)],
    ['that is empty', ''],
  ])('%s is not', (_what, text) => {
    expect(holdsWalletSecret(text)).toBe(false)
  })
})

describe('a name', () => {
  test.each(canaries.flatMap(({ kind, written }) => written.map((form, i) => [kind, i, form] as const)))(
    'with a secret of %s, in form %i, is detected',
    (_kind, _i, form) => {
      expect(holdsWalletSecret(form) || hasKeyForm(form)).toBe(true)
    },
  )

  test.each([
    'Till 7',
    'Refunds, Lagos',
    'a'.repeat(64).replaceAll('a', 'x '),
    '0xab',
    '1, 2, 3',
    '店舗の財布',
    'key-of-the-shop',
    'acme-payments-production-checkout-terminal1',
    'Cowry-webhooks-production-eu-west-1-primary',
  ])('%j is accepted', (name) => {
    expect(holdsWalletSecret(name) || hasKeyForm(name)).toBe(false)
  })
})
