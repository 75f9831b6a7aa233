import type { Turn } from '../../platform/priority.ts'
import { BatchRefusedError, createBatches } from './batches.ts'
import { ThrottledError } from './budget.ts'
import { type HttpAnswer, openHttp } from './http.ts'
import { type Call, type Params, resultsOf } from './jsonRpcAnswers.ts'
import type { Endpoint, Gate } from './providers.ts'
import { createRoundTrip } from './roundTrip.ts'

export { RpcError } from './jsonRpcAnswers.ts'

/** One JSON-RPC endpoint over HTTP. */
export interface JsonRpc extends Endpoint {
  /**
   * @throws ProviderError with the method and the problem, never with the URL; RpcError if the node refused
   */
  call(method: string, params: Params): Promise<unknown>
  /** Several calls of one method in one request; results in the order of the calls. */
  callMany(method: string, params: readonly Params[]): Promise<unknown[]>
  /**
   * One call whose answer is read from its bytes. Endpoints in memory may lack it.
   * @param scan null where it does not understand the answer to this request: then it is parsed
   */
  read?<T>(
    method: string,
    params: Params,
    scan: (answer: readonly Uint8Array[], id: number) => T | null | Promise<T | null>,
  ): Promise<{ scanned: T } | { result: unknown }>
  /**
   * The same, for calls that are made at about the same time: they are sent in few requests, in batches that
   * the provider takes.
   */
  batching?: Calling
}

/** The calls of an endpoint that may be batched. */
export type Calling = Pick<JsonRpc, 'call' | 'read'>

/** For many calls at once. */
export const inBatches = (rpc: JsonRpc): Calling => rpc.batching ?? rpc

/** The same endpoint, whose answers are all parsed. */
export function parsing({ read: _, batching, ...rpc }: JsonRpc): JsonRpc {
  return batching ? { ...rpc, batching: { call: batching.call } } : rpc
}

/** @param timeoutMs for the whole answer, body included @param gate wraps every request */
export function openJsonRpc(
  url: string,
  timeoutMs: number,
  gate: Gate,
  name = new URL(url).host,
  turn?: Turn,
): JsonRpc {
  const http = openHttp(url, timeoutMs, name, {}, turn)
  const origin = { name, withoutSecrets: http.withoutSecrets }
  const roundTrip = createRoundTrip()
  const batches = createBatches({ origin, ask, roundTrip })
  let id = 0

  const call: JsonRpc['call'] = (method, params) =>
    gate(method, async () => (await request(method, [params]))[0])
  const read: NonNullable<JsonRpc['read']> = (method, params, scan) =>
    gate(method, async () => {
      const call = callOf(method, params)
      const answer = await ask([call])
      const scanned = answer.status === 200 ? await scan(answer.chunks, call.id) : null
      return scanned === null ? { result: resultsOf(origin, [call], answer)[0] } : { scanned }
    })

  return {
    name,
    call,
    callMany: (method, params) =>
      gate(method, async () => (params.length === 0 ? [] : request(method, params))),
    read,
    // Each call of a batch is counted and waits for the budget, as providers count them.
    batching: {
      call: (method, params) =>
        orAlone(
          gate(method, async () => (await batches.send(callOf(method, params))).result()),
          () => call(method, params),
        ),
      read: (method, params, scan) =>
        orAlone(
          gate(method, async () => {
            const call = callOf(method, params)
            const answer = await batches.send(call)
            const scanned = answer.chunks.length > 0 ? await scan(answer.chunks, call.id) : null
            return scanned === null ? { result: answer.result() } : { scanned }
          }),
          () => read(method, params, scan),
        ),
    },
    close: () => http.close(),
  }

  function callOf(method: string, params: Params): Call {
    return { jsonrpc: '2.0', id: ++id, method, params }
  }

  async function request(method: string, params: readonly Params[]): Promise<unknown[]> {
    const calls = params.map((each) => callOf(method, each))
    return resultsOf(origin, calls, await ask(calls))
  }

  async function ask(calls: readonly Call[]): Promise<HttpAnswer> {
    const about = calls[0]?.method ?? ''
    const started = performance.now()
    const answer = await http.request(about, {
      method: 'POST',
      body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    })
    if (answer.status === 429) throw new ThrottledError(`${name}: ${about}: too many requests`, answer.waitMs)
    if (calls.length === 1) roundTrip.answered(performance.now() - started)
    return answer
  }
}

/** Repeats a call alone where the provider refused the batch that it was in. */
const orAlone = <T>(inBatch: Promise<T>, alone: () => Promise<T>): Promise<T> =>
  inBatch.catch((error: unknown) => {
    if (error instanceof BatchRefusedError) return alone()
    throw error
  })
