import { diagnoseRefusal } from './diagnose.ts'
import { type Finding, isCrash, isRedirect, isTaken, judgeTaken, right, skipped, told, warning, wrong } from './finding.ts'
import { type Answer, headersOf, keptBytes, send } from './send.ts'
import type { Learnt, Target } from './target.ts'

/** A part of the deadline that is safe: 5 of 15 seconds. */
const brisk = (target: Target): number => target.deadlineMs / 3

const seconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`

const answerFirst = 'Store the event, answer, and work later.'

/** The first delivery. @param first its answer */
export async function valid(target: Target, first: Answer): Promise<Finding> {
  const did = `Sent a genuine event (${target.signer.scheme})`
  if (isRedirect(first)) return skipped('see redirect')
  if (first.failure !== null) {
    return wrong(
      did,
      told(first),
      first.isLate
        ? `Cowry waits ${seconds(target.deadlineMs)} for the whole answer. ${answerFirst}`
        : 'Nobody answers there: look at the address and whether the receiver runs.',
    )
  }
  if (first.status === 410) return wrong(did, told(first), 'It answered 410: Cowry takes that for an endpoint that is gone and sends nothing more.')
  if (first.status === 404 || first.status === 405)
    return wrong(
      did,
      told(first),
      'Nothing takes a POST at this path: look at the URL. An event that means nothing to you is to be answered with 204, too.',
    )
  if (first.status === 400 || first.status === 401 || first.status === 403) return wrong(did, told(first), await diagnoseRefusal(target))
  if (!isTaken(first)) return wrong(did, told(first), 'Answer any 2xx once the event is stored, also where it means nothing to you.')
  if (first.ms > brisk(target))
    return warning(did, told(first), `That is close to the ${seconds(target.deadlineMs)} that Cowry waits. ${answerFirst}`)
  return right(did, told(first))
}

export function redirect(_target: Target, first: Answer): Finding {
  const did = 'Looked whether the event is taken where it was sent'
  if (!isRedirect(first)) return right(did, `${first.status ?? first.failure}, no redirect`)
  const where = first.location ? ` to ${first.location}` : ''
  return wrong(
    did,
    `${first.status}${where}`,
    'Cowry follows no redirect: to it, this is a failure. Register the URL that it leads to (look at http and https, and the slash at its end).',
  )
}

export function answerSize(_target: Target, first: Answer): Finding {
  const did = 'Looked at the size of the answer'
  if (first.bytes <= keptBytes) return right(did, `${first.bytes} bytes`)
  return warning(
    did,
    'more than 4 kB',
    'Cowry keeps the first 4 kB and hangs up. Answer with an empty body; a web page here often means that another program answered.',
  )
}

export async function keepAlive(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answer = await send(target.url, headersOf(message), message.body, target.deadlineMs, true)
  const came = answer.keptAlive ? 'kept open: the next event saves the handshake' : 'closed: each event opens another one'
  return { verdict: 'information', did: 'Looked whether the connection stays open', came, advice: null }
}

/** Cowry sends up to eight events at a time to an endpoint. */
export async function time(target: Target): Promise<Finding> {
  const answers = await Promise.all(Array.from({ length: 8 }, () => target.deliver(target.event())))
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const did = 'Sent 8 events at once'
  const came = `the slowest answer came after ${seconds(slowest)}`
  const failed = answers.filter(({ status }) => status === null)
  if (failed.length > 0)
    return wrong(did, failed.map(told).join(', '), `Cowry sends up to 8 at a time and waits ${seconds(target.deadlineMs)} for each. ${answerFirst}`)
  if (answers.some(isCrash)) return wrong(did, answers.map(told).join(', '), 'It fails when several events come at once, as they do.')
  if (slowest > brisk(target)) return warning(did, came, `That is close to the ${seconds(target.deadlineMs)} that Cowry waits. ${answerFirst}`)
  return right(did, came)
}

/** White space and an escape that writing the JSON again would not keep. */
export async function rawBody(target: Target): Promise<Finding> {
  const body = JSON.stringify(target.event(), null, 1).replace('"type": "', '"\\u0074ype": "')
  const advice =
    'It verifies JSON that it parsed and wrote again. Verify the bytes of the request (express.raw(), not express.json()), then parse them.'
  return judgeTaken('Sent a body with other white space', [await target.post(await target.message(body))], advice)
}

export async function rotation(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const other = await target.stranger.sign(`${message.id}.${message.timestamp}.${message.body}`)
  const answer = await target.post({ ...message, signature: `${target.stranger.scheme},${other} ${message.signature}` })
  const advice =
    'webhook-signature is a list with spaces between: while a secret is changed, two keys sign. Take the event when any of them is right.'
  return judgeTaken('Signed with another key first and the right one second', [answer], advice)
}

export async function duplicate(target: Target, learnt: Learnt): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answers = [await target.post(message), await target.post(message)]
  learnt.refusesDuplicates = !answers.every(isTaken)
  const advice =
    'An answer can be lost on its way, so the same event comes again with the same webhook-id. Answer 2xx to what you have seen, and do nothing.'
  return judgeTaken('Sent the same event twice', answers, advice)
}

export async function duplicateAtOnce(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answers = await Promise.all([target.post(message), target.post(message)])
  const advice = 'Both found that the event was new. Insert its webhook-id under a unique key first, and answer 2xx where it is there already.'
  return judgeTaken('Sent the same event twice at once', answers, advice)
}

export async function outOfOrder(target: Target): Promise<Finding> {
  const first = target.event()
  const second = target.event()
  const answers = [await target.deliver(second), await target.deliver(first)]
  const advice = 'Events can come in another order than that of their sequence numbers. Answer 2xx to an older one as well, and leave it at that.'
  return judgeTaken(`Sent number ${second.sequence} before ${first.sequence}`, answers, advice)
}

export async function unknownType(target: Target): Promise<Finding> {
  const answer = await target.deliver({ ...target.event(), type: 'future.invented' })
  return judgeTaken(
    'Sent an event of a type that does not exist yet',
    [answer],
    'There will be more types. Answer 2xx to those that you do not know.',
  )
}

export async function unknownFields(target: Target): Promise<Finding> {
  const event = target.event()
  const answer = await target.deliver({ ...event, invented: true, data: { ...event.data, invented: { more: ['of', 'this'] } } })
  return judgeTaken(
    'Sent an event with further fields',
    [answer],
    'Bodies grow by fields. Ignore those that you do not know; do not validate them away.',
  )
}
