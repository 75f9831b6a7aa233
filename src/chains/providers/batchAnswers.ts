import { ProviderError } from '../chain.ts'
import type { HttpAnswer } from './http.ts'
import { type Answer, type AnswerOrigin, type Call, resultOf, resultsOf } from './jsonRpcAnswers.ts'
import { splitBatch } from './splitBatch.ts'

/** The answer to one call: of its own request, or its part of a batch. */
export interface CallAnswer {
  /** The answer as it arrived; empty where it cannot be read from its bytes. */
  chunks: readonly Uint8Array[]
  /** @throws ProviderError, RpcError */
  result(): unknown
}

/**
 * The answers to calls that were sent in one request, in their order.
 * @returns null for a call that was refused because it came in a batch
 */
export function answersOf(
  of: AnswerOrigin,
  calls: readonly Call[],
  answer: HttpAnswer,
): (CallAnswer | null)[] {
  if (calls.length === 1)
    return [
      { chunks: answer.status === 200 ? answer.chunks : [], result: () => resultsOf(of, calls, answer)[0] },
    ]
  const { status, waitMs } = answer
  const parts = status === 200 ? splitBatch(Buffer.concat(answer.chunks), calls.length) : null
  const byId = parsedOnce(answer)
  return calls.map((call) => {
    const part = parts?.get(call.id)
    const own = () => (part && parsedPart(part, call.id)) ?? byId()?.get(call.id)
    const isRefused = part
      ? part.length < errorLength && isAboutBatch(own())
      : byId() === null || isAboutBatch(own())
    if (isRefused) return null
    const result = () => {
      const mine = own()
      if (mine === undefined)
        throw new ProviderError(`${of.name}: ${call.method}: an answer to another request`)
      return resultOf(of, call.method, mine, status, waitMs)
    }
    return { chunks: part ? [part] : [], result }
  })
}

/**
 * Nodes and gateways refuse single calls of a batch that is too long for them, or whose answer is; geth with
 * -32003.
 */
const tooLarge = /batch|too (?:large|many|big|long)|response size|exceeds? (?:the )?(?:max|limit)/i

/** Longer parts are not errors, and are not parsed to see that. */
const errorLength = 1000

function isAboutBatch(answer: Answer | undefined): boolean {
  const { code, message } = answer?.error ?? {}
  return code === -32003 || code === -32600 || (typeof message === 'string' && tooLarge.test(message))
}

/** @returns undefined where the part is not the whole answer to that call: then the split was wrong */
function parsedPart(part: Buffer, id: number): Answer | undefined {
  try {
    const answer = JSON.parse(part.toString()) as Answer | null
    return answer?.id === id ? answer : undefined
  } catch {
    return undefined
  }
}

/**
 * The answers of a list by their ids, parsed at the first call; null where it is no list: the provider
 * refused the batch.
 */
function parsedOnce({ text }: HttpAnswer): () => ReadonlyMap<unknown, Answer> | null {
  let parsed: ReadonlyMap<unknown, Answer> | null | undefined
  const parse = () => {
    try {
      const answers: unknown = JSON.parse(text())
      return Array.isArray(answers)
        ? new Map(answers.map((answer: Answer | null) => [answer?.id, answer ?? {}]))
        : null
    } catch {
      return null
    }
  }
  return () => {
    if (parsed === undefined) parsed = parse()
    return parsed
  }
}
