import { diagnoseRefusal } from './diagnose.ts'
import {
  describeAnswer,
  expectAccepted,
  type Finding,
  isCrash,
  isRedirect,
  isTaken,
  right,
  skipped,
  warning,
  wrong,
} from './finding.ts'
import { type Answer, headersOf, keptBytes, send } from './send.ts'
import type { Learnt, Target } from './target.ts'

/** The safe part of the deadline: 5 of 15 seconds. */
const fastMs = (target: Target): number => target.deadlineMs / 3

const seconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`

const answerFirst = 'Store the event, answer, then do the work.'

/** The first delivery. @param first its answer */
export async function valid(target: Target, first: Answer): Promise<Finding> {
  const did = `Sent a genuine event (${target.signer.scheme})`
  if (isRedirect(first)) return skipped('see redirect')
  if (first.failure !== null) {
    return wrong(
      did,
      describeAnswer(first),
      first.isLate
        ? `Cowry waits ${seconds(target.deadlineMs)} for the whole answer. ${answerFirst}`
        : 'No answer: check the address, and that the receiver is running.',
    )
  }
  if (first.status === 410)
    return wrong(
      did,
      describeAnswer(first),
      'It answered 410: Cowry takes that for a removed endpoint and sends nothing more.',
    )
  if (first.status === 404 || first.status === 405)
    return wrong(
      did,
      describeAnswer(first),
      'This path takes no POST: check the URL. Also answer 2xx to events that you ignore.',
    )
  if (first.status === 400 || first.status === 401 || first.status === 403)
    return wrong(did, describeAnswer(first), await diagnoseRefusal(target))
  if (!isTaken(first))
    return wrong(
      did,
      describeAnswer(first),
      'Answer any 2xx once the event is stored, also if you ignore it.',
    )
  if (first.ms > fastMs(target))
    return warning(
      did,
      describeAnswer(first),
      `That is close to the ${seconds(target.deadlineMs)} that Cowry waits. ${answerFirst}`,
    )
  return right(did, describeAnswer(first))
}

export function redirect(_target: Target, first: Answer): Finding {
  const did = 'Checked whether the URL redirects'
  if (!isRedirect(first)) return right(did, `${first.status ?? first.failure}, no redirect`)
  const where = first.location ? ` to ${first.location}` : ''
  return wrong(
    did,
    `${first.status}${where}`,
    'Cowry follows no redirect: it counts as a failure. Register the target URL (check http and https, and the slash at its end).',
  )
}

export function answerSize(_target: Target, first: Answer): Finding {
  const did = 'Checked the size of the answer'
  if (first.bytes <= keptBytes) return right(did, `${first.bytes} bytes`)
  return warning(
    did,
    'more than 4 kB',
    'Cowry keeps the first 4 kB and closes the connection. Answer with an empty body; a web page here often comes from another program.',
  )
}

export async function keepAlive(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answer = await send(target.url, headersOf(message), message.body, target.deadlineMs, true)
  const came = answer.keptAlive
    ? 'kept open: the next event needs no handshake'
    : 'closed: each event opens a new one'
  return { verdict: 'information', did: 'Checked whether the connection stays open', came, advice: null }
}

/** Cowry sends up to eight events at a time to an endpoint. */
export async function time(target: Target): Promise<Finding> {
  const answers = await Promise.all(Array.from({ length: 8 }, () => target.deliver(target.event())))
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const did = 'Sent 8 events at once'
  const came = `the slowest answer came after ${seconds(slowest)}`
  const failed = answers.filter(({ status }) => status === null)
  if (failed.length > 0)
    return wrong(
      did,
      failed.map(describeAnswer).join(', '),
      `Cowry sends up to 8 at a time and waits ${seconds(target.deadlineMs)} for each. ${answerFirst}`,
    )
  if (answers.some(isCrash))
    return wrong(
      did,
      answers.map(describeAnswer).join(', '),
      'It fails when several events arrive at once, as they do.',
    )
  if (slowest > fastMs(target))
    return warning(
      did,
      came,
      `That is close to the ${seconds(target.deadlineMs)} that Cowry waits. ${answerFirst}`,
    )
  return right(did, came)
}

/** White space and an escape that serializing the JSON again would lose. */
export async function rawBody(target: Target): Promise<Finding> {
  const body = JSON.stringify(target.event(), null, 1).replace('"type": "', '"\\u0074ype": "')
  const advice =
    'It verifies JSON that it parsed and serialized again. Verify the bytes of the request (express.raw(), not express.json()), then parse them.'
  return expectAccepted(
    'Sent a body with other white space',
    [await target.post(await target.message(body))],
    advice,
  )
}

export async function rotation(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const other = await target.otherSigner.sign(`${message.id}.${message.timestamp}.${message.body}`)
  const answer = await target.post({
    ...message,
    signature: `${target.otherSigner.scheme},${other} ${message.signature}`,
  })
  const advice =
    'webhook-signature is a list, separated by spaces: during a rotation two keys sign. Accept the event if any signature is valid.'
  return expectAccepted('Signed with another key first and the right one second', [answer], advice)
}

export async function duplicate(target: Target, learnt: Learnt): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answers = [await target.post(message), await target.post(message)]
  learnt.refusesDuplicates = !answers.every(isTaken)
  const advice =
    'An answer can be lost, so the same event comes again with the same webhook-id. Answer 2xx to an event that you have seen, and do nothing.'
  return expectAccepted('Sent the same event twice', answers, advice)
}

export async function duplicateAtOnce(target: Target): Promise<Finding> {
  const message = await target.message(JSON.stringify(target.event()))
  const answers = await Promise.all([target.post(message), target.post(message)])
  const advice =
    'Both requests found the event new. First insert its webhook-id under a unique key, and answer 2xx if it exists.'
  return expectAccepted('Sent the same event twice at once', answers, advice)
}

export async function outOfOrder(target: Target): Promise<Finding> {
  const first = target.event()
  const second = target.event()
  const answers = [await target.deliver(second), await target.deliver(first)]
  const advice =
    'Events can arrive in another order than their sequence numbers. Also answer 2xx to an older one, and ignore it.'
  return expectAccepted(`Sent number ${second.sequence} before ${first.sequence}`, answers, advice)
}

export async function unknownType(target: Target): Promise<Finding> {
  const answer = await target.deliver({ ...target.event(), type: 'future.invented' })
  return expectAccepted(
    'Sent an event of a type that does not exist yet',
    [answer],
    'There will be more types. Answer 2xx to unknown ones.',
  )
}

export async function unknownFields(target: Target): Promise<Finding> {
  const event = target.event()
  const answer = await target.deliver({
    ...event,
    invented: true,
    data: { ...event.data, invented: { more: ['of', 'this'] } },
  })
  return expectAccepted(
    'Sent an event with extra fields',
    [answer],
    'Bodies grow by fields. Ignore unknown ones; do not refuse them in validation.',
  )
}
