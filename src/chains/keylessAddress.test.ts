import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Family } from './chain.ts'
import { addressCodec } from './codecs.ts'
import { keylessReason, refuseKeylessRecipient } from './keylessAddress.ts'
import { readRecipientAddress } from './recipientAddress.ts'
import { type Chain, registry } from './registry.ts'
import { muxed } from './stellar/address.ts'
import { encodeStrKey } from './stellar/strkey.ts'

const normal = (family: Family, text: string): string => {
  const address = addressCodec(family).normalise(text)
  if (address === null) throw new Error(`${text} is not an address of ${family}`)
  return address
}

/** As the chains' own documents and explorers write them. */
const keyless: [Family, string, string][] = [
  ['evm', '0x0000000000000000000000000000000000000000', 'zero address'],
  ['evm', '0x000000000000000000000000000000000000dEaD', 'burn address'],
  ['evm', '0xdEAD000000000000000042069420694206942069', 'burn address'],
  ['evm', '0xffffffffffffffffffffffffffffffffffffffff', 'burn address'],
  ['evm', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'burn address'],
  ['evm', '0x0000000000000000000000000000000000000001', 'system contract'],
  ['evm', '0x0000000000000000000000000000000000001010', 'system contract'],
  ['evm', '0x4200000000000000000000000000000000000006', 'system contract'],
  ['evm', '0xcA11bde05977b3631167028862bE2a173976CA11', 'not a wallet'],
  ['evm', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'token on another chain'],
  ['evm', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'token on another chain'],
  ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'zero address'],
  ['tron', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'burn address'],
  ['solana', '11111111111111111111111111111111', 'program'],
  ['solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'program'],
  ['solana', 'SysvarC1ock11111111111111111111111111111111', 'program'],
  ['solana', '1nc1nerator11111111111111111111111111111111', 'burn address'],
  ['stellar', 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF', 'public key'],
]

describe('an address without a key', () => {
  test.each(keyless)('on %s: %s is a %s', (family, text, what) => {
    const address = normal(family, text)
    expect(keylessReason(family, address)).toContain(what)
    // A chain of the family whose own token it is not.
    const chain = {
      ...registry.find((each) => each.family === family),
      tokens: [],
      lookalikes: [],
    } as unknown as Chain
    expect(() => readRecipientAddress(chain, text, 'toAddress')).toThrow(
      expect.objectContaining({
        status: 422,
        error: 'recipient_without_key',
        fields: [{ field: 'toAddress', message: expect.any(String) }],
      }),
    )
    expect(() => refuseKeylessRecipient(family, address)).toThrow(
      expect.objectContaining({ reason: 'recipient_without_key' }),
    )
  })

  test('on stellar, also by a muxed address of it', () => {
    const account = encodeStrKey('account', new Uint8Array(32))
    expect(keylessReason('stellar', muxed(account, 7n))).toContain('public key')
  })

  test('is on stellar every account off the curve', () => {
    const tries = Array.from({ length: 64 }, () => randomBytes(32))
    const found = tries.map((bytes) => keylessReason('stellar', encodeStrKey('account', bytes)))
    // Half of all byte strings are no point.
    expect(new Set(found)).toEqual(new Set([null, 'is not the public key of any account']))
  })
})

describe('an address with a key is never refused', () => {
  const owner: [Family, string][] = [
    ['evm', '0x28C6c06298d514Db089934071355E5743bf21d60'],
    ['evm', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['tron', 'TNXoiAJ3dct8Fjg4M9fkLFh9S2v9TXc32G'],
    ['solana', '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'],
    ['stellar', 'GDQP2KPQGKIHYJGXNUIYOMHARUARCA7DJT5FO2FFOOKY3B2WSQHG4W37'],
  ]
  test.each(owner)('on %s: %s', (family, text) =>
    expect(keylessReason(family, normal(family, text))).toBeNull(),
  )

  test('on stellar, for any key pair', () => {
    for (let round = 0; round < 32; round++) {
      const account = encodeStrKey('account', ed25519.getPublicKey(randomBytes(32)))
      expect(keylessReason('stellar', account)).toBeNull()
    }
  })

  test('contracts of stellar sign by their code', () => {
    expect(keylessReason('stellar', encodeStrKey('contract', new Uint8Array(32)))).toBeNull()
  })
})
