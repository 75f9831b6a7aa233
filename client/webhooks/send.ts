import { hmacKey, importKey, publicKeyOf, type Scheme, toBase64, utf8 } from './keys.ts'

/** Makes `webhook-signature` with one key. */
export interface Signer {
  scheme: Scheme
  /** The key that verifies Ed25519 signatures; null for HMAC. */
  publicKey: string | null
  /** @returns the signature in base64, without its scheme */
  sign(text: string): Promise<string>
}

/** @param key `whsec_…` or `whsk_…` @throws TypeError */
export async function createSigner(key: string): Promise<Signer> {
  const imported = await importKey(key)
  return {
    scheme: imported.scheme,
    publicKey: imported.scheme === 'v1a' ? await publicKeyOf(imported.key) : null,
    sign: async (text) => toBase64(await crypto.subtle.sign(imported.algorithm, imported.key, utf8(text))),
  }
}

/** Signs with a random key. */
export async function createOtherSigner(scheme: Scheme): Promise<Signer> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return createSigner(`${scheme === 'v1' ? 'whsec' : 'whsk'}_${toBase64(bytes.buffer)}`)
}

/** An HMAC with any key and text, as faulty receivers compute it. */
export async function faultyHmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await hmacKey(key), utf8(text))
}

export interface Message {
  id: string
  /** Of the attempt, in seconds. */
  timestamp: number
  body: string
  /** The whole `webhook-signature` header. */
  signature: string
}

/** The answer: without a complete one `status` is null, and `failure` gives the reason. */
export interface Answer {
  status: number | null
  failure: string | null
  /** The deadline passed. */
  isLate: boolean
  ms: number
  /** Bytes of the answer's body, counted as far as Cowry keeps it. */
  bytes: number
  location: string | null
  /** The connection stays open for the next request. */
  keptAlive: boolean
}

/** How much of an answer Cowry keeps. */
export const keptBytes = 4096

/**
 * Sends like Cowry: redirects are not followed, and the deadline covers the whole answer. Each attempt has
 * its own connection, so that one does not fail because of the one before.
 */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
  deadlineMs: number,
  keepAlive = false,
): Promise<Answer> {
  const started = performance.now()
  const answer: Answer = {
    status: null,
    failure: null,
    isLate: false,
    ms: 0,
    bytes: 0,
    location: null,
    keptAlive: false,
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Cowry-Webhooks/1',
        ...(!keepAlive && { connection: 'close' }),
        ...headers,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    })
    answer.location = response.headers.get('location')
    answer.keptAlive = keepAlive && response.headers.get('connection') !== 'close'
    answer.bytes = await countBytes(response)
    answer.status = response.status
  } catch (error) {
    answer.isLate = (error as Error).name === 'TimeoutError'
    answer.failure = answer.isLate
      ? `no complete answer within ${deadlineMs / 1000} s`
      : `no answer: ${reasonOf(error as Error)}`
  }
  answer.ms = Math.round(performance.now() - started)
  return answer
}

/** Headers of a message. */
export const headersOf = ({ id, timestamp, signature }: Message): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

/** Stops reading at the limit, like Cowry. */
async function countBytes(response: Response): Promise<number> {
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > keptBytes) break
  }
  return bytes
}

/** `fetch failed` has no information: use its cause. */
function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? error) as { code?: string; message?: string }
  return code ?? message ?? error.message
}
