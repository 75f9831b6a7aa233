import type { CowryEvent } from './contract/events.ts'
import { apiOperations } from './contract/operations.ts'
import { type EventOptions, followEvents } from './events.ts'
import { followQuotes, type QuoteSocket, type QuoteStream } from './quotes.ts'
import { buildRequest, type OperationRow } from './request.ts'
import { type Sending, send } from './send.ts'
import type {
  AnswerOf,
  ArgumentsOf,
  CallOptions,
  Operation,
  PagedOperation,
  QuoteOptions,
  StreamArgumentsOf,
  StreamedOf,
  StreamOperation,
} from './types.ts'

export interface ClientOptions {
  /** Ends in /api/v1. In a browser it may be a path. */
  baseUrl: string
  /** Takes precedence over `accessToken`. */
  apiKey?: string | undefined
  /** A function is called before each attempt, so that it can renew an expired token. */
  accessToken?: string | (() => string | Promise<string>) | undefined
  /** For an access token: the business to act for, if not the account's first. */
  businessId?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** For `quotes` in Node 20, which has no WebSocket: the class of the package `ws`. */
  WebSocket?: (new (url: string) => unknown) | undefined
  /** Repeats of a failed request; at most 3 by default. */
  retries?: number | undefined
  /** Of one attempt; 30,000 by default. */
  timeoutMs?: number | undefined
}

export interface Client {
  /**
   * Calls an operation of the contract and returns the body of its 2xx answer.
   * @throws CowryError; TypeError for arguments that cannot be sent; the reason of an aborted `signal`
   */
  call<Op extends Operation>(operation: Op, ...options: ArgumentsOf<Op>): Promise<AnswerOf<Op>>
  /**
   * Yields every page from the one in `query`, following `nextCursor`. Requests the next page only when it is
   * needed.
   */
  pages<Op extends PagedOperation>(
    operation: Op,
    ...options: ArgumentsOf<Op>
  ): AsyncGenerator<AnswerOf<Op>, void, undefined>
  /**
   * Yields the business's events in order, each once, as they happen. Connects again after failures, for as
   * long as it takes.
   * @throws CowryError if the API refuses: the credential has no right to the events, or an option is wrong;
   * the reason of an aborted `signal`
   */
  events(options?: EventOptions): AsyncGenerator<ReceivedEvent, void, undefined>
  /**
   * Yields quotes as they change, the newest if the loop was busy. Connects again after failures, for as long
   * as it takes.
   * @throws CowryError if the API refuses: the credential, or a parameter; the reason of an aborted signal
   */
  quotes<Op extends StreamOperation>(
    operation: Op,
    ...options: StreamArgumentsOf<Op>
  ): AsyncGenerator<StreamedOf<Op>, void, undefined>
}

/** An event with its `webhook-id`. */
export type ReceivedEvent = CowryEvent & { id: string }

/** @throws TypeError if `baseUrl` is not a URL that ends in /api/v1 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  if (!baseUrl.endsWith('/api/v1')) throw new TypeError('baseUrl must end in /api/v1')
  if (!baseUrl.startsWith('/') && !URL.canParse(baseUrl)) throw new TypeError('baseUrl is not a URL')
  const rootUrl = baseUrl.slice(0, -'/api/v1'.length)
  const sending: Sending = {
    fetch: options.fetch,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxWaitMs: 60_000,
    cookies: 'omit',
  }
  const credentials = () => credentialsOf(options)
  const ask = async (operation: Operation, { signal, ...given }: CallOptions = {}): Promise<unknown> => {
    const row: OperationRow | undefined = apiOperations[operation]
    const request = buildRequest(operation, row, row?.root ? rootUrl : baseUrl, given, credentials)
    // `wait` of listEvents: the answer may take as long as was requested.
    const waitMs = Number(given.query?.wait ?? 0) * 1000
    return send({ ...sending, timeoutMs: sending.timeoutMs + waitMs }, request, signal)
  }
  function call<Op extends Operation>(operation: Op, ...given: ArgumentsOf<Op>): Promise<AnswerOf<Op>>
  function call(operation: Operation, given?: CallOptions): Promise<unknown> {
    return ask(operation, given)
  }
  function pages<Op extends PagedOperation>(
    operation: Op,
    ...given: ArgumentsOf<Op>
  ): AsyncGenerator<AnswerOf<Op>, void, undefined>
  async function* pages(
    operation: PagedOperation,
    first: CallOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    let cursor: string | null = null
    do {
      const page = (await ask(
        operation,
        cursor ? { ...first, query: { ...first.query, cursor } } : first,
      )) as AnswerOf<PagedOperation>
      yield page
      cursor = page.nextCursor
    } while (cursor)
  }
  const events = ({ types, ...options }: EventOptions = {}) =>
    followEvents<ReceivedEvent>(
      sending,
      (after) =>
        buildRequest(
          'listEvents',
          apiOperations.listEvents,
          baseUrl,
          { query: { after, type: types?.join() } },
          credentials,
        ),
      options,
    )
  function quotes<Op extends StreamOperation>(
    operation: Op,
    ...given: StreamArgumentsOf<Op>
  ): AsyncGenerator<StreamedOf<Op>, void, undefined>
  function quotes(
    operation: StreamOperation,
    { signal, onError, ...given }: CallOptions & QuoteOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const request = buildRequest(operation, apiOperations[operation], baseUrl, given, credentials)
    const stream: QuoteStream = {
      operation,
      connect: () => openSocket(request.url, options.WebSocket),
      credential: () => firstMessageOf(options),
      explain: async () => void (await send(sending, request, signal)),
      onError,
      timeoutMs: sending.timeoutMs,
    }
    return followQuotes(stream, signal)
  }
  return { call, pages, events, quotes }
}

/** The first message of a stream: a WebSocket of a browser cannot set headers. */
async function firstMessageOf({ apiKey, accessToken, businessId }: ClientOptions): Promise<object> {
  if (apiKey !== undefined) return { apiKey }
  return { accessToken: typeof accessToken === 'function' ? await accessToken() : accessToken, businessId }
}

/** @throws TypeError without a WebSocket */
function openSocket(url: string, given: ClientOptions['WebSocket']): QuoteSocket {
  const Socket = given ?? (globalThis as { WebSocket?: new (url: string) => unknown }).WebSocket
  if (!Socket) throw new TypeError('this runtime has no WebSocket: give one to createClient')
  return new Socket(url.replace(/^http/, 'ws')) as QuoteSocket
}

async function credentialsOf({
  apiKey,
  accessToken,
  businessId,
}: ClientOptions): Promise<Record<string, string | undefined>> {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  const token = typeof accessToken === 'function' ? await accessToken() : accessToken
  return { authorization: token === undefined ? undefined : `Bearer ${token}`, 'x-business-id': businessId }
}
