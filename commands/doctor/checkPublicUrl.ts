import { messageOf } from '../../src/platform/errors.ts'
import { codeOf, type DoctorContext, stepMs, unreachable, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('public URL')

interface PublicUrl {
  part: 'api' | 'verification'
  setting: 'BASE_URL' | 'VERIFY_BASE_URL'
}

export const publicUrls: readonly PublicUrl[] = [
  { part: 'api', setting: 'BASE_URL' },
  { part: 'verification', setting: 'VERIFY_BASE_URL' },
]

/** The URL that callers use leads to the process: from here, through the proxy in front of it. */
export async function checkPublicUrl(ctx: DoctorContext, { part, setting }: PublicUrl): Promise<Finding[]> {
  const config = valuesOf(ctx, part, [setting, 'ENVIRONMENT', 'TRUSTED_PROXIES'])
  if (!config) return []
  if (part === 'verification' && !ctx.env[setting])
    return [
      advice(
        part,
        'url_unset',
        `${setting} is not set: links to the verification host lead to this machine`,
        `Set ${setting} to its public URL, if you use it.`,
      ),
    ]
  const url = new URL(config[setting])
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const found: Finding[] = []
  if (config.ENVIRONMENT === 'live' && (url.protocol === 'http:' || isLocal))
    found.push(
      fault(
        part,
        'url_insecure',
        `${setting} is ${url.origin}, in a live deployment`,
        `Put a proxy that speaks TLS before it, and set ${setting} to its public https URL: browsers keep sessions, and callers keys, only there.`,
      ),
    )
  if (url.pathname !== '/' || url.search !== '')
    found.push(
      fault(
        part,
        'url_path',
        `${setting} has a path`,
        'Remove it: tokens and links are made for a host without one.',
      ),
    )
  if (url.protocol === 'https:' && config.TRUSTED_PROXIES.length === 0)
    found.push(
      advice(
        part,
        'url_proxy_unknown',
        'TRUSTED_PROXIES is empty: all callers have the proxy’s address, and share its limits',
        'Name the address of the proxy in TRUSTED_PROXIES.',
      ),
    )
  return [...found, await answers(part, setting, url)]
}

async function answers(part: string, setting: string, url: URL): Promise<Finding> {
  try {
    const answer = await fetch(new URL('/health/ready', url.origin), {
      redirect: 'manual',
      signal: AbortSignal.timeout(stepMs),
    })
    const body = (await answer.json().catch(() => null)) as {
      status?: unknown
      checks?: Record<string, string>
    } | null
    if (answer.status >= 300 && answer.status < 400)
      return fault(
        part,
        'url_redirects',
        `${url.origin} redirects`,
        `Set ${setting} to the URL that it redirects to, without a path.`,
      )
    if (body?.status === undefined || body.checks === undefined)
      return fault(
        part,
        'url_other',
        `${url.origin} answers ${answer.status}, and not as Cowry`,
        `Let the proxy pass all paths to the port of the ${part}, with Host unchanged, or correct ${setting}.`,
      )
    const failing = Object.entries(body.checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]))
    if (failing.length > 0)
      return fault(
        part,
        'not_ready',
        `${url.origin} runs and is not ready: ${failing.join(', ')}`,
        'Correct the faults above; its log and /health/ready on its internal port say why.',
      )
    return ok(part, `${url.origin} is ready`)
  } catch (error) {
    const code = codeOf(error)
    const away = unreachable(code, url.host)
    if (code === 'ECONNREFUSED')
      return advice(
        part,
        'url_not_started',
        `nothing answers at ${url.host} yet`,
        `Start the ${part} and the proxy before it, then run doctor again.`,
      )
    return fault(
      part,
      'url_unreachable',
      away?.text ?? `${url.origin} cannot be reached: ${messageOf(error)}`,
      away?.cure ?? `Correct ${setting}.`,
    )
  }
}
