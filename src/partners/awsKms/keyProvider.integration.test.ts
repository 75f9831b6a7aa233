import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type AwsKmsStandIn, kmsKeys, startAwsKms } from '../../../test/partners/awsKms.ts'
import { type KeyProvider, KeyProviderError } from '../../custody/keyProvider.ts'
import { Secret } from '../../platform/secrets.ts'
import { awsKmsProvider } from './keyProvider.ts'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const [keyArn, otherArn] = kmsKeys
const dataKey = new Secret<Uint8Array>(Buffer.alloc(32, 77))
const purpose = 'cowry/seed/v1'
let kms: AwsKmsStandIn
let provider: KeyProvider
const environment = { ...process.env }

/** The standard variables: the library finds the credentials by itself. */
function signInAs({ accessKeyId, secretAccessKey }: typeof credentials): void {
  process.env.AWS_ACCESS_KEY_ID = accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey
}
const providerOf = (arn: string, timeoutMs = 2000) =>
  awsKmsProvider({ keyArn: arn, endpoint: kms.url, timeoutMs })

beforeEach(async () => {
  kms = await startAwsKms(credentials)
  signInAs(credentials)
  provider = providerOf(keyArn)
})
afterEach(async () => {
  process.env = { ...environment }
  await kms.close()
})

async function failure(asked: Promise<unknown>): Promise<{ problem: string; message: string }> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof KeyProviderError)) throw new Error(`expected a KeyProviderError: ${error}`)
  return { problem: error.problem, message: error.message }
}

test('a data key is wrapped by the named key for its purpose, and unwrapped to the same bytes', async () => {
  const wrapped = await provider.wrap(dataKey, purpose)
  expect(wrapped).toMatchObject({ provider: 'aws-kms', wrappingKey: keyArn })
  expect(wrapped.wrappedKey.includes(Buffer.from(dataKey.reveal()))).toBe(false)
  expect(Buffer.from((await provider.unwrap(wrapped, purpose)).reveal())).toEqual(
    Buffer.from(dataKey.reveal()),
  )
  expect(kms.trail).toEqual([
    { operation: 'TrentService.Encrypt', keyId: keyArn, encryptionContext: { purpose }, error: null },
    { operation: 'TrentService.Decrypt', keyId: keyArn, encryptionContext: { purpose }, error: null },
  ])
})

describe('is refused with its reason:', () => {
  test.each([
    [
      'another purpose',
      (wrapped: Buffer) => ({ wrapped, arn: keyArn, context: 'cowry/wallet-key/v1/1' }),
      'InvalidCiphertextException',
    ],
    [
      'another key',
      (wrapped: Buffer) => ({ wrapped, arn: otherArn, context: purpose }),
      'IncorrectKeyException',
    ],
    [
      'a changed bit',
      (wrapped: Buffer) => ({
        wrapped: Buffer.from(wrapped.map((byte, i) => (i === 50 ? byte ^ 1 : byte))),
        arn: keyArn,
        context: purpose,
      }),
      'InvalidCiphertextException',
    ],
    [
      'no ciphertext of KMS',
      () => ({ wrapped: Buffer.alloc(100), arn: keyArn, context: purpose }),
      'InvalidCiphertextException',
    ],
  ])('%s', async (_what, change, name) => {
    const { wrapped, arn, context } = change((await provider.wrap(dataKey, purpose)).wrappedKey)
    const failed = await failure(
      providerOf(arn).unwrap({ provider: 'aws-kms', wrappingKey: arn, wrappedKey: wrapped }, context),
    )
    expect(failed).toEqual({
      problem: 'wrong_key',
      message: expect.stringContaining(`(${name}, key ${arn})`),
    })
  })

  test('an identity without the permission', async () => {
    kms.mode = 'deny'
    expect(await failure(provider.wrap(dataKey, purpose))).toEqual({
      problem: 'refused',
      message: `AWS KMS denies the request: allow kms:Encrypt and kms:Decrypt on the key (AccessDeniedException, key ${keyArn})`,
    })
    // It is not repeated.
    expect(kms.requests).toBe(1)
  })

  test.each([
    ['a disabled key', 'Disabled', 'DisabledException'],
    ['a key that is to be deleted', 'PendingDeletion', 'KMSInvalidStateException'],
  ] as const)('%s', async (_what, state, name) => {
    const wrapped = await provider.wrap(dataKey, purpose)
    kms.states.set(keyArn, state)
    for (const asked of [provider.wrap(dataKey, purpose), provider.unwrap(wrapped, purpose)])
      expect(await failure(asked)).toEqual({ problem: 'refused', message: expect.stringContaining(name) })
  })

  test('a key that is not there, and one of another region', async () => {
    expect(await failure(providerOf(keyArn.replace(/\w+$/, 'ffffffffffff')).wrap(dataKey, purpose))).toEqual({
      problem: 'refused',
      message: expect.stringContaining('has no such key'),
    })
    expect(
      await failure(providerOf(keyArn.replace('eu-central-1', 'us-east-1')).wrap(dataKey, purpose)),
    ).toEqual({
      problem: 'refused',
      message: expect.stringContaining('InvalidSignatureException'),
    })
  })

  test('a wrong secret, and an unknown access key', async () => {
    signInAs({ ...credentials, secretAccessKey: 'wrong' })
    expect((await failure(providerOf(keyArn).wrap(dataKey, purpose))).message).toContain(
      'refuses the credentials (InvalidSignatureException',
    )
    signInAs({ ...credentials, accessKeyId: 'AKIAUNKNOWN' })
    expect((await failure(providerOf(keyArn).wrap(dataKey, purpose))).message).toContain(
      'refuses the credentials (UnrecognizedClientException',
    )
  })

  test('an answer by another key than the named one', async () => {
    const wrapped = await provider.wrap(dataKey, purpose)
    kms.mode = 'other-key'
    for (const asked of [provider.wrap(dataKey, purpose), provider.unwrap(wrapped, purpose)])
      expect(await failure(asked)).toEqual({
        problem: 'refused',
        message: `AWS KMS used the key ${otherArn}, not ${keyArn}`,
      })
  })
})

describe('is unavailable, after several attempts:', () => {
  test.each(['throttle', 'internal'] as const)('%s', async (mode) => {
    kms.mode = mode
    expect(await failure(provider.wrap(dataKey, purpose))).toEqual({
      problem: 'unavailable',
      message: expect.stringContaining(mode === 'throttle' ? 'ThrottlingException' : 'KMSInternalException'),
    })
    expect(kms.requests).toBe(4)
  })

  test('a service that does not answer ends by the deadline', async () => {
    kms.mode = 'hang'
    const started = performance.now()
    expect(await failure(providerOf(keyArn, 200).wrap(dataKey, purpose))).toMatchObject({
      problem: 'unavailable',
    })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('a service that is down, or answers in another form', async () => {
    kms.mode = 'garbage'
    expect(await failure(provider.wrap(dataKey, purpose))).toMatchObject({
      problem: expect.stringMatching(/unavailable|refused/),
    })
    await kms.close()
    expect(await failure(providerOf(keyArn).wrap(dataKey, purpose))).toMatchObject({ problem: 'unavailable' })
  })

  test('a throttled request that is then answered succeeds', async () => {
    kms.mode = 'throttle'
    const asked = provider.wrap(dataKey, purpose)
    while (kms.requests === 0) await new Promise((resolve) => setImmediate(resolve))
    kms.mode = 'ok'
    expect(await asked).toMatchObject({ provider: 'aws-kms' })
  })
})

test('no error holds the data key or the secret', async () => {
  const secrets = [
    Buffer.from(dataKey.reveal()).toString('base64'),
    Buffer.from(dataKey.reveal()).toString('hex'),
    credentials.secretAccessKey,
  ]
  for (const mode of ['deny', 'other-key', 'internal', 'garbage'] as const) {
    kms.mode = mode
    const error = await provider.wrap(dataKey, purpose).catch((thrown: unknown) => thrown)
    const { inspect } = await import('node:util')
    const text = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
})
