import { eventExamples } from '../contract/eventExamples.ts'
import type { CowryEvent, EventType } from '../contract/events.ts'
import { type Answer, createSigner, headersOf, type Message, type Signer, send, strangerSigner } from './send.ts'

/** A receiver that is being checked. */
export interface Target {
  url: string
  /** The whole key, for what only hasty receivers do with it. */
  key: string
  signer: Signer
  /** Another's. */
  stranger: Signer
  deadlineMs: number
  /** The example of the type, with an id, a time and a sequence number that no one before it had. */
  event(): CowryEvent
  /** A genuine message of now, unless `at` or `by` say otherwise. */
  message(body: string, options?: { id?: string; at?: number; by?: Signer }): Promise<Message>
  /** Posts a message as it is, or with other headers. */
  post(message: Message, headers?: Record<string, string>): Promise<Answer>
  /** Both. */
  deliver(event: object): Promise<Answer>
}

/** What one check learnt of the receiver that makes others tell nothing. */
export interface Learnt {
  /** It takes a signature that is not Cowry's. */
  takesForged: boolean
  /** It fails where it ought to refuse. */
  failsOnRefusal: boolean
  /** It does not take an event a second time. */
  refusesDuplicates: boolean
}

/** @param key `whsec_…` or `whsk_…` @throws TypeError for another */
export async function createTarget(url: string, key: string, type: EventType, deadlineMs: number): Promise<Target> {
  const signer = await createSigner(key)
  const [example] = eventExamples[type]
  let sequence = example.sequence
  const target: Target = {
    url,
    key,
    signer,
    stranger: await strangerSigner(signer.scheme),
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
