import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import type { Family } from './chain.ts'
import {
  addressCodec,
  addressProblem,
  displayContract,
  shownForm,
  tokenContract,
  transactionId,
} from './codecs.ts'
import { registry } from './registry.ts'

// One address of each family, as stored and as shown: examples of EIP-55 and SEP-23, and the mints and
// contracts of Circle and Tether.
const examples: Record<Family, { kept: string; shown: string }> = {
  evm: {
    kept: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    shown: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  },
  solana: {
    kept: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    shown: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
  tron: { kept: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', shown: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  stellar: {
    kept: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    shown: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  },
}
const families = Object.keys(examples) as Family[]
const hash = 'AB'.repeat(32)
const signature = base58.encode(Buffer.alloc(64, 7))

describe('an address', () => {
  test.each(families)('of %s is valid in no other family', (family) => {
    const { kept, shown } = examples[family]
    for (const each of families) {
      expect(addressCodec(each).normalise(shown)).toBe(each === family ? kept : null)
      expect(addressCodec(each).normalise(kept)).toBe(each === family ? kept : null)
    }
  })

  test.each(families)('of %s is shown in its display form, also without its family', (family) => {
    expect(shownForm(examples[family].kept)).toBe(examples[family].shown)
    expect(shownForm(examples[family].shown)).toBe(examples[family].shown)
  })

  test.each(families)('of %s is taken with space around it', (family) => {
    const { kept, shown } = examples[family]
    for (const text of [` ${shown}`, `${shown}\n`, `\t${kept} `])
      expect(addressCodec(family).normalise(text)).toBe(kept)
  })

  test('of EVM is taken in capitals: letters of one case carry no checksum (EIP-55)', () => {
    const text = '0x92A098F37D4E9FFA87204DCF7CE6941E25FC9B1F'
    expect(addressCodec('evm').normalise(text)).toBe('0x92a098f37d4e9ffa87204dcf7ce6941e25fc9b1f')
  })

  test.each<[Family, string]>([
    ['evm', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA'],
  ])('of %s with a wrong checksum is called that: %s', (family, text) => {
    expect(addressCodec(family).normalise(text)).toBeNull()
    expect(addressProblem({ name: 'the chain', family }, text)).toBe(
      'is not an address of the chain: its checksum is wrong',
    )
    expect(addressProblem({ name: 'the chain', family }, examples.solana.kept)).toBe(
      'is not an address of the chain',
    )
  })

  test('of no family is shown unchanged', () => {
    for (const text of ['', 'the treasury', '0x', hash]) expect(shownForm(text)).toBe(text)
  })
})

describe('a token', () => {
  test.each(
    registry.map(
      ({ name, family, tokens, lookalikes }) => [name, family, [...tokens, ...lookalikes]] as const,
    ),
  )(
    'of %s is in the registry in its normal form, and its display form parses to it',
    (_name, family, tokens) => {
      for (const { contract } of tokens) {
        if (contract === null) continue
        expect(tokenContract(family, contract)).toBe(contract)
        expect(tokenContract(family, displayContract(family, contract))).toBe(contract)
      }
    },
  )

  test('of Stellar has a code and an issuer: an account alone is not valid', () => {
    expect(tokenContract('stellar', examples.stellar.kept)).toBeNull()
    expect(tokenContract('stellar', `USDC:${examples.stellar.kept}`)).toBe(`USDC:${examples.stellar.kept}`)
  })
})

describe("a transaction's id", () => {
  test.each<[Family, string, string | null]>([
    ['evm', `0x${hash}`, `0x${hash.toLowerCase()}`],
    ['evm', hash, null],
    ['evm', signature, null],
    ['tron', hash, hash.toLowerCase()],
    ['tron', `0x${hash}`, hash.toLowerCase()],
    ['stellar', hash, hash.toLowerCase()],
    ['stellar', `0x${hash}`, hash.toLowerCase()],
    ['stellar', signature, null],
    ['solana', signature, signature],
    ['solana', hash, null],
    ['solana', `${signature} `, null],
    ['tron', `${hash}00`, null],
    ['tron', `${hash}\n`, null],
    ['stellar', `${hash.slice(1)}g`, null],
    ['evm', '', null],
  ])('on %s: %s', (family, text, id) => {
    expect(transactionId(family, text)).toBe(id)
  })
})
