import { describe, expect, test } from '@jest/globals'
import { Asset, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { memoId, muxed, stellarAddress, stellarAsset, unmuxed } from './address.ts'

// The account of SEP-23's test cases, and its muxed addresses with the ids 0 and 2^63.
const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const withZero = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'
const withLargeId = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
const contract = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'
const ids = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((seed) => Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey())

describe('a shared account’s address', () => {
  test('is the muxed address of account and id, as SEP-23 writes it', () => {
    expect(muxed(account, 2n ** 63n)).toBe(withLargeId)
    expect(unmuxed(withLargeId)).toEqual({ account, id: 2n ** 63n })
  })

  test('with the id zero is the account itself, in either form', () => {
    expect(muxed(account, 0n)).toBe(account)
    expect(unmuxed(account)).toEqual({ account, id: 0n })
    expect(stellarAddress.normalise(withZero)).toBe(account)
  })

  test('is the one that the SDK derives from account and id', () => {
    fc.assert(
      fc.property(keys, ids, (key, id) => {
        const theirs = MuxedAccount.fromAddress(muxed(key, id), '0')
        expect([theirs.baseAccount().accountId(), theirs.id()]).toEqual([key, id.toString()])
        expect(unmuxed(theirs.accountId())).toEqual({ account: key, id })
        expect(stellarAddress.normalise(theirs.accountId())).toBe(theirs.accountId())
      }),
      { numRuns: 50 },
    )
  })

  test('is paid at the account with the id as a memo of type `id`, or at the muxed address', () => {
    expect(stellarAddress.payment?.(withLargeId)).toEqual({
      address: account,
      memo: '9223372036854775808',
      memoType: 'id',
      muxedAddress: withLargeId,
    })
  })

  test('has the shared account, which the platform watches; accounts and contracts have no other', () => {
    expect(stellarAddress.account?.(withLargeId)).toBe(account)
    expect(stellarAddress.account?.(account)).toBeNull()
    expect(stellarAddress.account?.(contract)).toBeNull()
  })

  test('has unique match bytes, of one length for all addresses', () => {
    const some = [account, withLargeId, muxed(account, 1n), muxed(account, 2n), contract]
    const bytes = some.map((address) => Buffer.from(stellarAddress.bytes(address)))
    expect(new Set(bytes.map((each) => each.toString('hex'))).size).toBe(some.length)
    expect(new Set(bytes.map((each) => each.length))).toEqual(new Set([40]))
  })
})

describe('a Stellar address', () => {
  test.each([account, withLargeId, contract])('%s is stored and shown unchanged', (address) => {
    expect(stellarAddress.normalise(address)).toBe(address)
    expect(stellarAddress.display(address)).toBe(address)
  })

  test.each([
    ['a mistyped account', account.replace('7UJV', '7UJW')],
    ['lower case', account.toLowerCase()],
    ['an address of Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a federated name (SEP-2)', 'bob*stellar.org'],
  ])('%s is not an address', (_what, text) => {
    expect(stellarAddress.normalise(text)).toBeNull()
  })
})

describe('an id in a memo', () => {
  test.each([
    ['0', 0n],
    ['7', 7n],
    ['4503599627370495', 2n ** 52n - 1n],
    ['18446744073709551615', 2n ** 64n - 1n],
  ])('%s is valid', (text, id) => {
    expect(memoId(text)).toBe(id)
  })

  test.each([
    '',
    ' 7',
    '7 ',
    '+7',
    '-7',
    '007',
    '7.0',
    '1e3',
    '0x7',
    '７',
    '18446744073709551616',
    '99999999999999999999',
    'seven',
    '7\n',
  ])('"%s" is not valid', (text) => {
    expect(memoId(text)).toBeNull()
  })

  test('of any 64 bits is read exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) =>
        expect(memoId(id.toString())).toBe(id),
      ),
    )
  })
})

describe('an asset', () => {
  test.each(['USDC', 'USDT0', 'A', 'ABCDEFGHIJKL'])("of the code %s has the SDK's form", (code) => {
    const text = new Asset(code, account).toString()
    expect(stellarAsset(text)).toBe(text)
  })

  test.each([
    ['a code of 13 characters', `ABCDEFGHIJKLM:${account}`],
    ['an empty code', `:${account}`],
    ['a code with a sign', `US-D:${account}`],
    ['an issuer with a mistake', `USDC:${account.replace('7UJV', '7UJW')}`],
    ['a muxed issuer', `USDC:${withLargeId}`],
    ['a code alone', 'USDC'],
    ['an issuer alone', account],
    ['the native coin', 'native'],
    ['a line end', `USDC:${account}\n`],
  ])('with %s is not valid', (_what, text) => {
    expect(stellarAsset(text)).toBeNull()
  })
})
