import { eventExamples } from '../contract/eventExamples.ts'
import type { CowryEvent, EventType } from '../contract/events.ts'
import {
  type Answer,
  createOtherSigner,
  createSigner,
  headersOf,
  type Message,
  type Signer,
  send,
} from './send.ts'

/** A receiver to check. */
export interface Target {
  url: string
  /** The whole key, for signatures of faulty receivers. */
  key: string
  signer: Signer
  /** Another key's signer. */
  otherSigner: Signer
  deadlineMs: number
  /** The type's example, with a new id, time and sequence number. */
  event(): CowryEvent
  /** A genuine message of now, unless `at` or `by` are given. */
  message(body: string, options?: { id?: string; at?: number; by?: Signer }): Promise<Message>
  /** Posts a message with its headers or others. */
  post(message: Message, headers?: Record<string, string>): Promise<Answer>
  /** Signs and posts an event. */
  deliver(event: object): Promise<Answer>
}

/** Results of one check that make others meaningless. */
export interface Learnt {
  /** It accepts a signature that is not Cowry's. */
  takesForged: boolean
  /** It fails instead of refusing. */
  failsOnRefusal: boolean
  /** It does not accept an event a second time. */
  refusesDuplicates: boolean
}

/** @param key `whsec_…` or `whsk_…` @throws TypeError for another */
export async function createTarget(
  url: string,
  key: string,
  type: EventType,
  deadlineMs: number,
): Promise<Target> {
  const signer = await createSigner(key)
  const [example] = eventExamples[type]
  let sequence = example.sequence
  const target: Target = {
    url,
    key,
    signer,
    otherSigner: await createOtherSigner(signer.scheme),
    deadlineMs,
    event() {
      const event = structuredClone(example) as CowryEvent
      if ('id' in event.data) event.data.id = crypto.randomUUID()
      sequence += 1
      return { ...event, timestamp: new Date().toISOString(), sequence }
    },
    async message(body, { id = crypto.randomUUID(), at = Date.now(), by = signer } = {}) {
      const timestamp = Math.floor(at / 1000)
      return { id, timestamp, body, signature: `${by.scheme},${await by.sign(`${id}.${timestamp}.${body}`)}` }
    },
    post: (message, headers = headersOf(message)) => send(url, headers, message.body, deadlineMs),
    deliver: async (event) => target.post(await target.message(JSON.stringify(event))),
  }
  return target
}
