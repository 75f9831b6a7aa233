import pRetry from 'p-retry'
import type { z } from 'zod'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { messageOf } from '../../platform/errors.ts'
import { inSpan } from '../../platform/telemetry/tracing.ts'
import { parseExact } from '../exactJson.ts'
import type { YellowCardAccount } from './account.ts'
import { signatureOf } from './sign.ts'

const timeoutMs = 5000
const attempts = 3
/** A page of 100 payments has about 150 kB. */
const maxAnswerBytes = 4 * 2 ** 20

interface Answered {
  status: number
  text: string
  retryAfter: string | undefined
}

/**
 * Reads, with up to three attempts: a GET changes nothing.
 * @throws PartnerError `refused`, `throttled`, `unavailable`, `invalid_answer`
 */
export function get<Form extends z.ZodType>(
  account: YellowCardAccount,
  path: string,
  form: Form,
  query = '',
): Promise<z.output<Form>> {
  const what = `GET ${path}`
  const attempt = async () => {
    const answer = await exchange(account, 'GET', path, { query }).catch((error: unknown) => {
      throw new PartnerError('unavailable', `Yellow Card did not answer ${what}: ${messageOf(error)}`)
    })
    if (answer.status !== 200) throw failureOf(answer, what, 'unavailable')
    return read(answer, form, what, 'invalid_answer')
  }
  return pRetry(attempt, {
    retries: attempts - 1,
    minTimeout: 200,
    maxTimeout: 1000,
    shouldRetry: ({ error }) => error instanceof PartnerError && isWorthAnotherTry(error),
  })
}

/** A longer pause that a partner requests is the caller's task. */
const isWorthAnotherTry = ({ retry, retryAfterSeconds }: PartnerError): boolean =>
  retry === 'yes' && (retryAfterSeconds ?? 0) <= 1

/**
 * Sends once: it is never repeated, because a lost answer leaves the outcome open.
 * @param changes false for a question that changes nothing
 * @throws PartnerError `refused`, `throttled`; `outcome_unknown` where it changes something, otherwise
 * `unavailable`, `invalid_answer`
 */
export async function post<Form extends z.ZodType>(
  account: YellowCardAccount,
  path: string,
  content: object,
  form: Form,
  { changes }: { changes: boolean },
): Promise<z.output<Form>> {
  const what = `POST ${path}`
  const lost = changes ? 'outcome_unknown' : 'unavailable'
  const answer = await exchange(account, 'POST', path, { body: JSON.stringify(content) }).catch(
    (error: unknown) => {
      throw new PartnerError(lost, `Yellow Card did not answer ${what}: ${messageOf(error)}`)
    },
  )
  if (answer.status !== 200 && answer.status !== 201) throw failureOf(answer, what, lost)
  return read(answer, form, what, changes ? 'outcome_unknown' : 'invalid_answer')
}

/** One request. @throws Error if there is no whole answer */
function exchange(
  account: YellowCardAccount,
  method: 'GET' | 'POST',
  path: string,
  sent: { query?: string; body?: string },
): Promise<Answered> {
  // Behind the name of the resource a path has ids.
  const attributes = {
    'http.request.method': method,
    'server.address': new URL(account.url).hostname,
    'url.template': path.split('/').slice(0, 3).join('/'),
  }
  return inSpan(`${method} yellowcard`, { kind: 'client', attributes }, async (span) => {
    const answer = await exchangeOnce(account, method, path, sent)
    span.set({ 'http.response.status_code': answer.status })
    if (answer.status >= 400) span.fail(String(answer.status))
    return answer
  })
}

async function exchangeOnce(
  account: YellowCardAccount,
  method: 'GET' | 'POST',
  path: string,
  sent: { query?: string; body?: string },
): Promise<Answered> {
  const { request } = await import('undici')
  const url = new URL(path, account.url)
  url.search = sent.query ?? ''
  const timestamp = new Date().toISOString()
  const answer = await request(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-yc-timestamp': timestamp,
      authorization: `YcHmacV1 ${account.apiKey}:${signatureOf(account, timestamp, method, path, sent.body)}`,
    },
    ...(sent.body === undefined ? {} : { body: sent.body }),
    signal: AbortSignal.timeout(account.timeoutMs ?? timeoutMs),
  })
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxAnswerBytes) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  const retryAfter = answer.headers['retry-after']
  return {
    status: answer.statusCode,
    text: Buffer.concat(pieces).toString('utf8'),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  }
}

/**
 * The error of an answer that is not a success. Only a refusal in the documented form, `{ code, message }`,
 * is trusted: a page of a proxy is no report on the work. The partner's message may quote an account number,
 * so it is dropped.
 */
function failureOf(
  { status, text, retryAfter }: Answered,
  what: string,
  otherwise: 'unavailable' | 'outcome_unknown',
): PartnerError {
  const message = `Yellow Card answered ${status} to ${what}`
  if (status === 429)
    return new PartnerError('throttled', message, { retryAfterSeconds: secondsOf(retryAfter) })
  // 408: it gave up on a request that it may have started.
  const code = status >= 400 && status < 500 && status !== 408 ? codeOf(text) : null
  return code === null
    ? new PartnerError(otherwise, message)
    : new PartnerError('refused', `${message}: ${code}`, {
        partnerCode: code,
        isDuplicate: duplicate.test(text),
      })
}

/**
 * A second payment of one sequence id has the code of any invalid request: only its message shows that the
 * partner has one.
 */
const duplicate = /"[^"]*duplicate\W+sequence/i

function codeOf(text: string): string | null {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : null
  } catch {
    return null
  }
}

const secondsOf = (retryAfter: string | undefined): number | null =>
  retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : null

/** Errors name the wrong fields of an answer, without their content. */
function read<Form extends z.ZodType>(
  { text }: Answered,
  form: Form,
  what: string,
  problem: 'invalid_answer' | 'outcome_unknown',
): z.output<Form> {
  let content: unknown
  try {
    content = parseExact(text)
  } catch {
    throw new PartnerError(problem, `Yellow Card answered ${what} with a text that is not JSON`)
  }
  const outcome = form.safeParse(content)
  if (outcome.success) return outcome.data
  const fields = [...new Set(outcome.error.issues.map((issue) => issue.path.join('.') || 'the whole'))].slice(
    0,
    5,
  )
  throw new PartnerError(
    problem,
    `Yellow Card answered ${what} in another form than documented: ${fields.join(', ')}`,
  )
}
