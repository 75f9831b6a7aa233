import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { x25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { Secret } from '../platform/secrets.ts'
import { openWallet } from './openWallet.ts'
import { sealWallet } from './sealWallet.ts'
import { type WalletOwner, type WalletSecrets, walletSuite } from './walletSeal.ts'

const keys = x25519.keygen()
const privateKey = new Secret<Uint8Array>(keys.secretKey)
const owner: WalletOwner = {
  id: '0190a000-0000-7000-8000-000000000001',
  businessId: '0190a000-0000-7000-8000-000000000002',
  chain: 'stellar',
  address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
}
// A canary.
const secrets: WalletSecrets = {
  privateKey: new Secret('canary-private-key'),
  mnemonic: new Secret('canary words'),
  derivationPath: "m/44'/148'/0'",
}
const shown = ({ privateKey, mnemonic, derivationPath }: WalletSecrets) => ({
  privateKey: privateKey.reveal(),
  mnemonic: mnemonic?.reveal(),
  derivationPath,
})
const opened = async (sealed: Uint8Array, of: WalletOwner = owner, by = privateKey) =>
  openWallet(by, { ...of, keyId: 'any', sealed })
const refusal = (sealed: Uint8Array, of?: WalletOwner, by?: Secret<Uint8Array>) =>
  opened(sealed, of, by).then(
    () => 'it was opened',
    (error: Error) => error.message,
  )
const refused = `cannot open the secrets of wallet ${owner.id}`

let sealed: Buffer
beforeAll(async () => {
  sealed = await sealWallet(keys.publicKey, owner, secrets)
})

describe('sealed secrets', () => {
  test('open with the private key to the original', async () => {
    const text = fc.string({ unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(text, fc.option(text, { nil: undefined }), async (key, words) => {
        const given = {
          privateKey: new Secret(key),
          ...(words !== undefined && { mnemonic: new Secret(words) }),
        }
        expect(shown(await opened(await sealWallet(keys.publicKey, owner, given)))).toEqual({
          privateKey: key,
          mnemonic: words,
        })
      }),
      { numRuns: 30 },
    )
    expect(shown(await opened(sealed))).toEqual(shown(secrets))
  })

  test('differ each time, and show nothing of their content', async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, () => sealWallet(keys.publicKey, owner, secrets)),
    )
    expect(new Set(many.map((each) => each.toString('hex').slice(0, 64))).size).toBe(20)
    expect(many.filter((each) => each.includes('canary'))).toEqual([])
  })

  test('are HPKE of RFC 9180: a hand-made implementation opens them, and the reverse', async () => {
    const info = Buffer.from('cowry/wallet/v1')
    const aad = Buffer.from(`${owner.id}|${owner.businessId}|${owner.chain}|${owner.address}`)
    const [enc, ciphertext] = [sealed.subarray(0, 32), sealed.subarray(32)]
    const plain = byHand.open(byHand.schedule(keys.secretKey, enc, info, 32), ciphertext, aad)
    expect(JSON.parse(plain.toString())).toEqual(shown(secrets))

    const ephemeral = x25519.keygen()
    const shared = byHand.sharedSecret(
      x25519.getSharedSecret(ephemeral.secretKey, keys.publicKey),
      ephemeral.publicKey,
      keys.publicKey,
    )
    const made = byHand.seal(byHand.keyOf(shared, info, 32), plain, aad)
    expect(shown(await opened(Buffer.concat([ephemeral.publicKey, made])))).toEqual(shown(secrets))
  })
})

describe('opening fails', () => {
  test('for another wallet, business, chain or address: rows cannot be swapped', async () => {
    for (const field of ['id', 'businessId', 'chain', 'address'] as const) {
      const other = { ...owner, [field]: `${owner[field].slice(0, -1)}x` }
      expect(await refusal(sealed, other)).toBe(`cannot open the secrets of wallet ${other.id}`)
      expect(await refusal(await sealWallet(keys.publicKey, other, secrets))).toBe(refused)
    }
  })

  test('when any single bit was changed', async () => {
    const answers = new Set<string>()
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      answers.add(await refusal(changed))
    }
    expect([...answers]).toEqual([refused])
  })

  test('when cut short, extended, or mixed from two', async () => {
    const other = await sealWallet(keys.publicKey, owner, secrets)
    const wrong = [
      ...Array.from({ length: sealed.length }, (_, length) => sealed.subarray(0, length)),
      Buffer.concat([sealed, Buffer.alloc(1)]),
      Buffer.concat([sealed.subarray(0, 32), other.subarray(32)]),
    ]
    for (const each of wrong) expect(await refusal(each)).toBe(refused)
  })

  test("with another private key, and with the API's public key", async () => {
    expect(await refusal(sealed, owner, new Secret<Uint8Array>(x25519.keygen().secretKey))).toBe(refused)
    expect(await refusal(sealed, owner, new Secret<Uint8Array>(keys.publicKey))).toBe(refused)
    // @ts-expect-error a public key is not a Secret to open with
    await expect(openWallet(keys.publicKey, { ...owner, keyId: 'any', sealed })).rejects.toThrow(refused)
  })

  test('for content without a private key, and the error reveals nothing of it', async () => {
    const suite = await walletSuite()
    const recipientPublicKey = await suite.kem.deserializePublicKey(keys.publicKey)
    for (const plain of ['canary', '{"mnemonic":"canary"}', '{"privateKey":7}', 'null', '']) {
      const { enc, ct } = await suite.seal(
        { recipientPublicKey, info: Buffer.from('cowry/wallet/v1') },
        Buffer.from(plain),
        Buffer.from(`${owner.id}|${owner.businessId}|${owner.chain}|${owner.address}`),
      )
      const error = await opened(Buffer.concat([Buffer.from(enc), Buffer.from(ct)])).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toEqual(new Error(refused))
      expect((error as Error).cause).toBeUndefined()
    }
  })
})

test('the hand-made implementation conforms to RFC 9180: its test vector A.1.1', () => {
  const hex = (text: string) => Buffer.from(text, 'hex')
  const enc = hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431')
  const secretKey = hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8')
  // That vector uses AES-128: its key has 16 bytes.
  const made = byHand.schedule(secretKey, enc, hex('4f6465206f6e2061204772656369616e2055726e'), 16)
  expect(made.key.toString('hex')).toBe('4531685d41d65f03dc48f6b8302c05b0')
  expect(made.nonce.toString('hex')).toBe('56d890e5accaaf011cff4b7d')
  const ciphertext = hex(
    'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
  )
  expect(byHand.open(made, ciphertext, hex('436f756e742d30')).toString()).toBe(
    'Beauty is truth, truth beauty',
  )
})

interface Schedule {
  key: Buffer
  nonce: Buffer
}

/**
 * A second implementation of RFC 9180, with Node's own HMAC and AES: base mode of DHKEM(X25519, HKDF-SHA256)
 * and HKDF-SHA256.
 */
const byHand = {
  expand(secret: Buffer, info: Buffer, length: number): Buffer {
    let [all, last] = [Buffer.alloc(0), Buffer.alloc(0)]
    for (let i = 1; all.length < length; i++) {
      last = createHmac('sha256', secret)
        .update(Buffer.concat([last, info, Buffer.of(i)]))
        .digest()
      all = Buffer.concat([all, last])
    }
    return all.subarray(0, length)
  },
  labeledExtract: (suite: Buffer, salt: Uint8Array, label: string, value: Uint8Array): Buffer =>
    createHmac('sha256', salt)
      .update(Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), value]))
      .digest(),
  labeledExpand: (suite: Buffer, secret: Buffer, label: string, info: Uint8Array, length: number): Buffer =>
    byHand.expand(
      secret,
      Buffer.concat([
        Buffer.of(length >> 8, length & 255),
        Buffer.from('HPKE-v1'),
        suite,
        Buffer.from(label),
        info,
      ]),
      length,
    ),
  /** Section 4.1, "ExtractAndExpand". */
  sharedSecret(dh: Uint8Array, enc: Uint8Array, recipient: Uint8Array): Buffer {
    const suite = Buffer.concat([Buffer.from('KEM'), Buffer.of(0, 0x20)])
    const extracted = byHand.labeledExtract(suite, Buffer.alloc(0), 'eae_prk', dh)
    return byHand.labeledExpand(suite, extracted, 'shared_secret', Buffer.concat([enc, recipient]), 32)
  },
  /** Section 5.1, "KeySchedule". */
  keyOf(shared: Buffer, info: Uint8Array, keyBytes: 16 | 32): Schedule {
    const suite = Buffer.concat([Buffer.from('HPKE'), Buffer.of(0, 0x20, 0, 1, 0, keyBytes === 16 ? 1 : 2)])
    const empty = Buffer.alloc(0)
    const context = Buffer.concat([
      Buffer.of(0),
      byHand.labeledExtract(suite, empty, 'psk_id_hash', empty),
      byHand.labeledExtract(suite, empty, 'info_hash', info),
    ])
    const secret = byHand.labeledExtract(suite, shared, 'secret', empty)
    return {
      key: byHand.labeledExpand(suite, secret, 'key', context, keyBytes),
      nonce: byHand.labeledExpand(suite, secret, 'base_nonce', context, 12),
    }
  },
  schedule(secretKey: Uint8Array, enc: Uint8Array, info: Uint8Array, keyBytes: 16 | 32): Schedule {
    return byHand.keyOf(
      byHand.sharedSecret(x25519.getSharedSecret(secretKey, enc), enc, x25519.getPublicKey(secretKey)),
      info,
      keyBytes,
    )
  },
  seal({ key, nonce }: Schedule, plain: Uint8Array, aad: Uint8Array): Buffer {
    const cipher = createCipheriv(key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm', key, nonce).setAAD(aad)
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  },
  open({ key, nonce }: Schedule, sealed: Buffer, aad: Uint8Array): Buffer {
    const decipher = createDecipheriv(key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm', key, nonce, {
      authTagLength: 16,
    })
      .setAAD(aad)
      .setAuthTag(sealed.subarray(-16))
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  },
}
