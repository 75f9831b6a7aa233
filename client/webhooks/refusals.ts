import { expectRefused, type Finding, isCrash, isTaken } from './finding.ts'
import { headersOf, type Message } from './send.ts'
import type { Learnt, Target } from './target.ts'

const tenMinutes = 600_000

/** Signatures of another key, and values that are not signatures. */
export async function wrongSignature(target: Target, learnt: Learnt): Promise<Finding> {
  const forged = await target.message(JSON.stringify(target.event()), { by: target.otherSigner })
  const short = await target.message(JSON.stringify(target.event()))
  const tried = [
    { what: "another key's", answer: await target.post(forged) },
    {
      what: 'three bytes',
      answer: await target.post({ ...short, signature: `${target.signer.scheme},AAAA` }),
    },
    { what: 'no list', answer: await target.post({ ...short, signature: 'nonsense' }) },
  ]
  learnt.takesForged = tried.some(({ answer }) => isTaken(answer))
  learnt.failsOnRefusal = tried.some(({ answer }) => isCrash(answer))
  const advice =
    'Anyone can send it events. Verify webhook-signature first, and refuse with 400 or 401 if no part is valid.'
  return expectRefused('Sent events with invalid signatures', tried, advice)
}

export async function changedBody(target: Target): Promise<Finding> {
  const event = target.event()
  const message = await target.message(JSON.stringify(event))
  const answer = await target.post({
    ...message,
    body: JSON.stringify({ ...event, sequence: event.sequence + 1000 }),
  })
  const advice =
    'The body must be part of the signed text: `webhook-id.webhook-timestamp.body`, with the received bytes.'
  return expectRefused(
    'Changed the body of an event after it was signed',
    [{ what: 'changed', answer }],
    advice,
  )
}

export async function missingHeaders(target: Target): Promise<Finding> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const tried = []
  for (const missing of [...names.map((name) => [name]), names]) {
    const message = await target.message(JSON.stringify(target.event()))
    const headers = Object.fromEntries(
      Object.entries(headersOf(message)).filter(([name]) => !missing.includes(name)),
    )
    tried.push({
      what: missing.length === 1 ? `without ${missing[0]}` : 'without all three',
      answer: await target.post(message, headers),
    })
  }
  return expectRefused(
    'Left headers out',
    tried,
    'An unsigned event is not from Cowry: refuse with 400 if one of the three headers is missing.',
  )
}

export async function otherScheme(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answer = await target.post({ ...message, signature: message.signature.replace(/^[^,]+,/, 'v2,') })
  const advice = `Check only the parts of webhook-signature that start with \`${target.signer.scheme},\`: other schemes are unknown.`
  return expectRefused('Signed with a scheme that does not exist (`v2,`)', [{ what: 'v2', answer }], advice)
}

export const oldTimestamp = (target: Target): Promise<Finding> =>
  atAnotherTime(
    target,
    -tenMinutes,
    'Sent an event that was signed 10 minutes ago',
    'It may be a recording, sent again by an attacker. Refuse it if webhook-timestamp is more than 5 minutes old.',
  )

export const futureTimestamp = (target: Target): Promise<Finding> =>
  atAnotherTime(
    target,
    tenMinutes,
    'Sent an event with a timestamp 10 minutes ahead',
    'A recording of it could be sent again for longer. Also refuse it if webhook-timestamp is more than 5 minutes ahead.',
  )

async function atAnotherTime(target: Target, offMs: number, did: string, advice: string): Promise<Finding> {
  const message: Message = await target.message(JSON.stringify(target.event()), { at: Date.now() + offMs })
  return expectRefused(did, [{ what: 'off', answer: await target.post(message) }], advice)
}
