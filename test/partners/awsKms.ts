import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scopeOf, signatureOf } from './sigV4.ts'

/**
 * A stand-in for AWS KMS: Encrypt and Decrypt with symmetric keys, in the wire format of its API reference
 * (JSON 1.1), with signatures, regions, keys and encryption contexts checked as it documents. Shares no code
 * with our client.
 */
export interface AwsKmsStandIn {
  url: string
  /**
   * Mode of the next answers. `other-key`: it uses another key than the one that was named, and reports it.
   */
  mode: 'ok' | 'deny' | 'deny-decrypt' | 'throttle' | 'hang' | 'internal' | 'garbage' | 'other-key'
  /** State of its keys, by ARN. */
  states: Map<string, 'Enabled' | 'Disabled' | 'PendingDeletion'>
  /** Requests that were carried out, with the fields that CloudTrail shows. */
  trail: {
    operation: string
    keyId: string
    encryptionContext: Record<string, string>
    error: string | null
  }[]
  /** Every request, carried out or not. */
  requests: number
  close(): Promise<void>
}

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
}

interface Asked {
  KeyId?: string
  Plaintext?: string
  CiphertextBlob?: string
  EncryptionContext?: Record<string, string>
}

/** An error in its documented form. */
class KmsFault extends Error {
  readonly type: string
  readonly status: number
  constructor(type: string, message: string, status = 400) {
    super(message)
    this.type = type
    this.status = status
  }
}

const clockToleranceMs = 5 * 60_000
const arnOf = (region: string, id: string) => `arn:aws:kms:${region}:111122223333:key/${id}`

/** Two keys of an account. */
export const kmsRegion = 'eu-central-1'
export const kmsKeys = [
  arnOf(kmsRegion, '1234abcd-12ab-34cd-56ef-1234567890ab'),
  arnOf(kmsRegion, '0987dcba-09fe-87dc-65ba-ab0987654321'),
] as const

export async function startAwsKms(credentials: AwsCredentials): Promise<AwsKmsStandIn> {
  const standIn: AwsKmsStandIn = {
    url: '',
    mode: 'ok',
    states: new Map(),
    trail: [],
    requests: 0,
    close: async () => {},
  }
  for (const arn of kmsKeys) standIn.states.set(arn, 'Enabled')
  const keys = new Map<string, Buffer>(kmsKeys.map((arn) => [arn, randomBytes(32)]))
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(standIn, credentials, keys, request, Buffer.concat(chunks), response))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}

function answer(
  standIn: AwsKmsStandIn,
  credentials: AwsCredentials,
  keys: ReadonlyMap<string, Buffer>,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  standIn.requests++
  const json = (status: number, content: object) =>
    void response
      .writeHead(status, {
        'content-type': 'application/x-amz-json-1.1',
        'x-amzn-requestid': '12345126-30d5-4b28-98b9-9153da559963',
      })
      .end(JSON.stringify(content))
  // Never answers: the client's deadline must end it.
  if (standIn.mode === 'hang') return
  if (standIn.mode === 'garbage')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  const operation = String(request.headers['x-amz-target'])
  const asked: Asked = {}
  try {
    requireSigned(request, body, credentials)
    if (request.method !== 'POST' || request.url !== '/')
      throw new KmsFault('UnknownOperationException', '', 404)
    if (request.headers['content-type'] !== 'application/x-amz-json-1.1')
      throw new KmsFault('SerializationException', 'another content type')
    Object.assign(asked, JSON.parse(body.toString()))
    const content = carryOut(standIn, keys, operation, asked)
    standIn.trail.push({
      operation,
      keyId: asked.KeyId ?? '',
      encryptionContext: asked.EncryptionContext ?? {},
      error: null,
    })
    json(200, content)
  } catch (error) {
    if (!(error instanceof KmsFault)) throw error
    standIn.trail.push({
      operation,
      keyId: asked.KeyId ?? '',
      encryptionContext: asked.EncryptionContext ?? {},
      error: error.type,
    })
    // As KMS does, without a message for a ciphertext that does not open.
    json(error.status, { __type: error.type, ...(error.message === '' ? {} : { message: error.message }) })
  }
}

function carryOut(
  standIn: AwsKmsStandIn,
  keys: ReadonlyMap<string, Buffer>,
  operation: string,
  asked: Asked,
): object {
  if (standIn.mode === 'throttle')
    throw new KmsFault(
      'ThrottlingException',
      'You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.',
    )
  if (standIn.mode === 'internal')
    throw new KmsFault('KMSInternalException', 'An internal service exception occurred', 500)
  const [, name = ''] = operation.split('.')
  if (operation !== `TrentService.${name}` || (name !== 'Encrypt' && name !== 'Decrypt'))
    throw new KmsFault('UnknownOperationException', '')
  const arn = fullArn(asked.KeyId ?? '', keys)
  if (standIn.mode === 'deny' || (standIn.mode === 'deny-decrypt' && name === 'Decrypt')) {
    const who = 'arn:aws:sts::111122223333:assumed-role/cowry-treasury/i-0'
    throw new KmsFault(
      'AccessDeniedException',
      `User: ${who} is not authorized to perform: kms:${name} on resource: ${arn}`,
    )
  }
  const state = standIn.states.get(arn)
  if (state === 'Disabled') throw new KmsFault('DisabledException', `${arn} is disabled.`)
  if (state === 'PendingDeletion')
    throw new KmsFault('KMSInvalidStateException', `${arn} is pending deletion.`)
  const used = standIn.mode === 'other-key' ? (kmsKeys.find((each) => each !== arn) ?? arn) : arn
  const context = contextBytes(asked.EncryptionContext)
  if (name === 'Encrypt') {
    const plain = Buffer.from(asked.Plaintext ?? '', 'base64')
    if (plain.length < 1 || plain.length > 4096)
      throw new KmsFault('ValidationException', 'Plaintext has 1 to 4096 bytes')
    return {
      CiphertextBlob: encrypt(used, keys, plain, context).toString('base64'),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      KeyId: used,
    }
  }
  const plain = decrypt(arn, keys, Buffer.from(asked.CiphertextBlob ?? '', 'base64'), context)
  return { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT', KeyId: used, Plaintext: plain.toString('base64') }
}

/** Id or ARN. */
function fullArn(keyId: string, keys: ReadonlyMap<string, Buffer>): string {
  const arn = keyId.startsWith('arn:') ? keyId : arnOf(kmsRegion, keyId)
  if (!keys.has(arn)) throw new KmsFault('NotFoundException', `Key '${arn}' does not exist`)
  return arn
}

/** Pairs in the order of their names: KMS compares them as a map, to the letter. */
const contextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))

// A blob names its key, as KMS's does in metadata of its own: `sha256(arn) | nonce | ciphertext | tag`.
const digestOf = (arn: string) => createHash('sha256').update(arn).digest()

function encrypt(arn: string, keys: ReadonlyMap<string, Buffer>, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.get(arn) as Buffer, nonce).setAAD(context)
  return Buffer.concat([digestOf(arn), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(arn: string, keys: ReadonlyMap<string, Buffer>, blob: Buffer, context: Buffer): Buffer {
  const madeBy = [...keys.keys()].find((each) => digestOf(each).equals(blob.subarray(0, 32)))
  if (madeBy === undefined || blob.length < 60) throw new KmsFault('InvalidCiphertextException', '')
  if (madeBy !== arn)
    throw new KmsFault(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    )
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.get(arn) as Buffer, blob.subarray(32, 44), {
      authTagLength: 16,
    })
    decipher.setAAD(context).setAuthTag(blob.subarray(blob.length - 16))
    return Buffer.concat([decipher.update(blob.subarray(44, blob.length - 16)), decipher.final()])
  } catch {
    throw new KmsFault('InvalidCiphertextException', '')
  }
}

function requireSigned(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: AwsCredentials,
): void {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const scope = scopeOf(headers.authorization)
  if (!scope) throw new KmsFault('MissingAuthenticationTokenException', 'Missing Authentication Token')
  if (scope.accessKeyId !== accessKeyId)
    throw new KmsFault(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    )
  if (scope.region !== kmsRegion)
    throw new KmsFault('InvalidSignatureException', `Credential should be scoped to a valid region.`)
  if (scope.service !== 'kms')
    throw new KmsFault('InvalidSignatureException', `Credential should be scoped to correct service: 'kms'.`)
  for (const name of ['host', 'x-amz-date', 'x-amz-target'])
    if (!scope.signedHeaders.includes(name))
      throw new KmsFault('InvalidSignatureException', `${name} must be signed`)
  const stamp = headers['x-amz-date'] ?? ''
  const time = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!stamp.startsWith(scope.date) || !(Math.abs(Date.now() - time) < clockToleranceMs))
    throw new KmsFault('InvalidSignatureException', 'Signature expired')
  const expected = signatureOf(
    { method: request.method ?? '', url: request.url ?? '', headers, body },
    scope,
    secretAccessKey,
  )
  if (expected !== scope.signature) {
    throw new KmsFault(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided.',
    )
  }
}
