import { setImmediate as nextTurn } from 'node:timers/promises'
import { ProviderError } from '../chain.ts'
import { answersOf, type CallAnswer } from './batchAnswers.ts'
import { createBatchSize } from './batchSize.ts'
import { ThrottledError } from './budget.ts'
import type { HttpAnswer } from './http.ts'
import type { AnswerOrigin, Call } from './jsonRpcAnswers.ts'
import type { RoundTrip } from './roundTrip.ts'

/** The provider refused a batch, and might answer this call alone. */
export class BatchRefusedError extends ProviderError {
  override readonly code = 'batch_refused'
  override readonly retry = 'no'
}

/** Sends calls that are made at about the same time in few requests. */
export interface Batches {
  /** @throws BatchRefusedError, ProviderError */
  send(call: Call): Promise<CallAnswer>
}

interface Pending {
  call: Call
  resolve(answer: CallAnswer): void
  reject(error: unknown): void
}

/** As many as there are connections: up to this many calls, batches would save no time. */
const requestsAtOnce = 16

interface BatchesOptions {
  origin: AnswerOrigin
  /** Sends one call, or a list of them. */
  ask(calls: readonly Call[]): Promise<HttpAnswer>
  roundTrip: Pick<RoundTrip, 'isFar'>
  now?: () => number
}

export function createBatches({ origin, ask, roundTrip, now = Date.now }: BatchesOptions): Batches {
  const found = createBatchSize(now)
  const pending: Pending[] = []
  let requests = 0

  /** Sends as many requests as there are connections, of as many calls as the provider takes. */
  function fill(): void {
    while (requests < requestsAtOnce && pending.length > 0) {
      const size = roundTrip.isFar() ? Math.min(found.size(), Math.ceil(pending.length / requestsAtOnce)) : 1
      void sendTogether(pending.splice(0, size))
    }
  }

  async function sendTogether(batch: readonly Pending[]): Promise<void> {
    requests++
    const answers = await answersTo(batch)
    requests--
    fill()
    for (const [index, { call, resolve, reject }] of batch.entries()) {
      const answer = answers?.[index]
      if (answer) resolve(answer)
      else if (answers)
        reject(
          new BatchRefusedError(`${origin.name}: ${call.method}: a batch of ${batch.length} was refused`),
        )
      // Reading an answer may take a millisecond.
      if (answer && batch.length > 1) await nextTurn()
    }
  }

  /** @returns null after a failure, which each call gets */
  async function answersTo(batch: readonly Pending[]): Promise<readonly (CallAnswer | null)[] | null> {
    const started = now()
    const calls = batch.map(({ call }) => call)
    try {
      const answer = await ask(calls)
      const answers = answersOf(origin, calls, answer)
      const bytes = answer.chunks.reduce((sum, { length }) => sum + length, 0)
      if (answers.includes(null)) found.refused(batch.length)
      else found.answered(batch.length, now() - started, bytes)
      return answers
    } catch (error) {
      if (!(error instanceof ThrottledError)) found.failed(batch.length)
      for (const { reject } of batch) reject(error)
      return null
    }
  }

  return {
    send: (call) =>
      new Promise((resolve, reject) => {
        pending.push({ call, resolve, reject })
        if (pending.length === 1) setImmediate(fill)
      }),
  }
}
