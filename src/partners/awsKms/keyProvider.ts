import type { KMSClient } from '@aws-sdk/client-kms'
import { type KeyProvider, KeyProviderError } from '../../custody/keyProvider.ts'
import { once } from '../../platform/once.ts'
import { Secret } from '../../platform/secrets.ts'

export interface AwsKmsOptions {
  /** `arn:aws:kms:<region>:<account>:key/<id>`, a symmetric key for encryption. */
  keyArn: string
  /** In place of the region's. */
  endpoint?: string | undefined
  /** Of one attempt. */
  timeoutMs: number
}

const maxAttempts = 4
const dataKeyBytes = 32

/**
 * Wraps data keys with a key that never leaves AWS KMS. The encryption context names the purpose: it is
 * authenticated, and shows in CloudTrail. The library finds the credentials: environment, profile, web
 * identity, container or instance role. It is loaded at the first request, in 0.15 s.
 */
export function awsKmsProvider({ keyArn, endpoint, timeoutMs }: AwsKmsOptions): KeyProvider {
  const region = keyArn.split(':')[3] ?? ''
  const current = { provider: 'aws-kms', wrappingKey: keyArn }
  const kms = once(async () => {
    const library = await import('@aws-sdk/client-kms')
    const client = new library.KMSClient({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts,
      requestHandler: {
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
      },
    })
    return { ...library, client }
  })
  const ask = async <Answer>(
    work: (kms: typeof import('@aws-sdk/client-kms') & { client: KMSClient }) => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      return await work(await kms())
    } catch (error) {
      throw explained(error, keyArn)
    }
  }
  return {
    current,
    async wrap(dataKey, purpose) {
      const answer = await ask(({ client, EncryptCommand }) =>
        client.send(
          new EncryptCommand({ KeyId: keyArn, Plaintext: dataKey.reveal(), EncryptionContext: { purpose } }),
        ),
      )
      requireKey(answer.KeyId, keyArn)
      if (!answer.CiphertextBlob?.length)
        throw new KeyProviderError('refused', 'AWS KMS answered without a wrapped key')
      return { ...current, wrappedKey: Buffer.from(answer.CiphertextBlob) }
    },
    async unwrap({ wrappedKey }, purpose) {
      const answer = await ask(({ client, DecryptCommand }) =>
        // Without the key's name, KMS would open with any key that the treasury may use.
        client.send(
          new DecryptCommand({ KeyId: keyArn, CiphertextBlob: wrappedKey, EncryptionContext: { purpose } }),
        ),
      )
      requireKey(answer.KeyId, keyArn)
      if (answer.Plaintext?.length !== dataKeyBytes)
        throw new KeyProviderError('refused', 'AWS KMS answered with something that is not a data key')
      return new Secret<Uint8Array>(Buffer.from(answer.Plaintext))
    },
  }
}

function requireKey(answered: string | undefined, keyArn: string): void {
  if (answered !== keyArn)
    throw new KeyProviderError('refused', `AWS KMS used the key ${answered}, not ${keyArn}`)
}

// https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html#API_Decrypt_Errors, and its CommonErrors.
const refusals: Readonly<Record<string, string>> = {
  AccessDeniedException: 'denies the request: allow kms:Encrypt and kms:Decrypt on the key',
  CredentialsProviderError: 'cannot be asked without credentials',
  DisabledException: 'has the key disabled: enable it',
  ExpiredTokenException: 'refuses the credentials: they have expired',
  IncompleteSignature: 'refuses the credentials',
  InvalidClientTokenId: 'refuses the credentials',
  InvalidSignatureException: 'refuses the credentials',
  KMSInvalidStateException: 'cannot use the key in its state: cancel its deletion, or enable it',
  MissingAuthenticationTokenException: 'refuses the credentials',
  NotFoundException: 'has no such key',
  UnrecognizedClientException: 'refuses the credentials',
}
const wrongKeys = ['IncorrectKeyException', 'InvalidCiphertextException']

/** Takes only the name: an error of the library may carry the request, and with it the data key. */
function explained(error: unknown, keyArn: string): KeyProviderError {
  if (error instanceof KeyProviderError) return error
  const name = error instanceof Error ? error.name : 'unknown'
  const of = `(${name}, key ${keyArn})`
  if (wrongKeys.includes(name)) {
    return new KeyProviderError(
      'wrong_key',
      `AWS KMS reports that it was wrapped by another key or for another purpose, or was changed ${of}`,
    )
  }
  const refusal = refusals[name]
  if (refusal !== undefined) return new KeyProviderError('refused', `AWS KMS ${refusal} ${of}`)
  return new KeyProviderError('unavailable', `AWS KMS gave no usable answer in ${maxAttempts} attempts ${of}`)
}
