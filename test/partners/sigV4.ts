import { createHash, createHmac } from 'node:crypto'

/*
 * AWS Signature Version 4, the side of the service, written from its documentation:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

export interface SignedRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
}

export interface Scope {
  accessKeyId: string
  /** `YYYYMMDD` */
  date: string
  region: string
  service: string
  signedHeaders: readonly string[]
  signature: string
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Reads the `Authorization` header. @returns null where it has another form */
export function scopeOf(authorization: string | undefined): Scope | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/
  const [, accessKeyId, date, region, service, headers, signature] = form.exec(authorization ?? '') ?? []
  if (!accessKeyId || !date || !region || !service || !headers || !signature) return null
  return { accessKeyId, date, region, service, signedHeaders: headers.split(';'), signature }
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalQuery(query: string): string {
  if (query === '') return ''
  const pairs = query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value))] as const
  })
  return pairs
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&')
}

export function canonicalRequest(
  { method, url, headers, body }: SignedRequest,
  signedHeaders: readonly string[],
): string {
  const [path = '', query = ''] = url.split('?')
  const lines = signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`)
  return [method, path, canonicalQuery(query), lines.join(''), signedHeaders.join(';'), sha256(body)].join(
    '\n',
  )
}

/** The signature that a request must have. */
export function signatureOf(
  request: SignedRequest,
  scope: Omit<Scope, 'signature'>,
  secretAccessKey: string,
): string {
  const credentialScope = `${scope.date}/${scope.region}/${scope.service}/aws4_request`
  const toSign = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    credentialScope,
    sha256(canonicalRequest(request, scope.signedHeaders)),
  ].join('\n')
  const key = [scope.region, scope.service, 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(`AWS4${secretAccessKey}`, scope.date),
  )
  return hmac(key, toSign).toString('hex')
}
