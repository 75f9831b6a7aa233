import { verificationOperations } from './contract/operations.ts'
import type { operations as VerificationOperations } from './contract/verification.ts'
import { buildRequest, type OperationRow } from './request.ts'
import { pause } from './retry.ts'
import { type ApiRequest, type Sending, send } from './send.ts'
import type { AnswerIn, Arguments, CallOptions, OptionsIn } from './types.ts'

export type VerificationOperation = Exclude<
  keyof VerificationOperations,
  'createUpload' | 'getVerificationMedia'
>
export type VerificationAnswerOf<Op extends VerificationOperation> = AnswerIn<VerificationOperations[Op]>
export type VerificationArgumentsOf<Op extends VerificationOperation> = Arguments<
  OptionsIn<VerificationOperations[Op]>
>
export type Upload = AnswerIn<VerificationOperations['createUpload']>

/** Operations that read a request by its id. */
type ReadingOperation = 'getVerificationStatus' | 'getRiskAssessment' | 'getDecision'

export interface VerificationClientOptions {
  /** Of the verification host; ends in /api/kyc. */
  baseUrl: string
  /** A secret key, or in a browser a publishable one. */
  apiKey: string
  fetch?: typeof globalThis.fetch | undefined
  /** Repeats of a failed request; at most 3 by default. */
  retries?: number | undefined
  /** Of one attempt; 30,000 by default, and 1,800,000 of a file: the host ends one that stalls. */
  timeoutMs?: number | undefined
}

export interface WaitOptions {
  /** Of the first pause; each is longer, up to 30 s. 1,000 by default. */
  everyMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface VerificationClient {
  /**
   * Calls an operation of the verification host, and returns the body of its 2xx answer. A repeated request
   * has the same `requestId`, and is charged once.
   * @throws CowryError; TypeError for arguments that cannot be sent; the reason of an aborted `signal`
   */
  call<Op extends VerificationOperation>(
    operation: Op,
    ...options: VerificationArgumentsOf<Op>
  ): Promise<VerificationAnswerOf<Op>>
  /** Uploads a document or a selfie. @throws as `call` */
  upload(file: Blob, options?: { name?: string; signal?: AbortSignal }): Promise<Upload>
  /** A document or a selfie of a verification, as it was uploaded. @throws as `call` */
  media(id: string, mediaId: string, options?: { signal?: AbortSignal }): Promise<Blob>
  /** Waits until a request has ended, which may take as long as credit is missing. @throws as `call` */
  waitForEnd<Op extends ReadingOperation>(
    operation: Op,
    id: string,
    options?: WaitOptions,
  ): Promise<VerificationAnswerOf<Op>>
}

const maxPauseMs = 30_000

/** @throws TypeError if `baseUrl` is not a URL that ends in /api/kyc */
export function createVerificationClient(options: VerificationClientOptions): VerificationClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  if (!baseUrl.endsWith('/api/kyc')) throw new TypeError('baseUrl must end in /api/kyc')
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl is not a URL')
  const sending: Sending = {
    fetch: options.fetch,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxWaitMs: 60_000,
    cookies: 'omit',
  }
  const fileTimeoutMs = options.timeoutMs ?? 1_800_000
  const credentials = async () => ({ authorization: `Bearer ${options.apiKey}` })
  // Each can be repeated: `requestId` makes it one request, and an upload that is not used is dropped.
  const requestOf = (operation: string, row: OperationRow | undefined, given: CallOptions): ApiRequest => ({
    ...buildRequest(operation, row, baseUrl, given, credentials),
    safe: true,
  })
  function call<Op extends VerificationOperation>(
    operation: Op,
    ...given: VerificationArgumentsOf<Op>
  ): Promise<VerificationAnswerOf<Op>>
  function call(operation: VerificationOperation, { signal, ...given }: CallOptions = {}): Promise<unknown> {
    return send(sending, requestOf(operation, verificationOperations[operation], given), signal)
  }
  async function upload(
    file: Blob,
    { name = 'file', signal }: { name?: string; signal?: AbortSignal } = {},
  ): Promise<Upload> {
    const body = new FormData()
    body.append('file', file, name)
    const request = { ...requestOf('createUpload', verificationOperations.createUpload, {}), body }
    return (await send({ ...sending, timeoutMs: fileTimeoutMs }, request, signal)) as Upload
  }
  async function media(
    id: string,
    mediaId: string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Blob> {
    const request = requestOf('getVerificationMedia', verificationOperations.getVerificationMedia, {
      path: { id, mediaId },
    })
    return (await send(
      { ...sending, timeoutMs: fileTimeoutMs },
      { ...request, binary: true },
      signal,
    )) as Blob
  }
  async function waitForEnd<Op extends ReadingOperation>(
    operation: Op,
    id: string,
    { everyMs = 1000, signal }: WaitOptions = {},
  ) {
    for (let pauseMs = everyMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
      const request = requestOf(operation, verificationOperations[operation], { path: { id } })
      const answer = (await send(sending, request, signal)) as VerificationAnswerOf<Op> & {
        completedAt: string | null
      }
      if (answer.completedAt !== null) return answer
      await pause(pauseMs, signal)
    }
  }
  return { call, media, upload, waitForEnd }
}
