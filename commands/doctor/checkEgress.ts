import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import { configuredChains } from '../../src/chains/configuration.ts'
import { isWithin } from '../../src/platform/addresses.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { redisServers, redisVariables } from '../../src/platform/redis/redisTarget.ts'
import { isAllowed, parseAllowed } from '../../src/webhooks/egress.ts'
import { connectThrough, parseProxy } from '../../src/webhooks/egressProxy.ts'
import { deliverySettings } from '../../src/webhooks/settings.ts'
import { type DoctorContext, settingsIn, stepMs, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('egress')

/** Clouds give out credentials here. */
const metadata = ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200']

/** Where webhooks may go, and the proxy that they leave through. */
export async function checkWebhookEgress(ctx: DoctorContext): Promise<Finding[]> {
  const settings = settingsIn(ctx, 'worker', deliverySettings)
  if (!settings) return []
  const found = [
    ...(await allowedTooMuch(ctx, settings.WEBHOOK_ALLOW_HOSTS)),
    ...(await proxyWorks(ctx, settings.WEBHOOK_PROXY_URL)),
  ]
  const rule =
    settings.WEBHOOK_ALLOW_HOSTS.length > 0
      ? `and to ${settings.WEBHOOK_ALLOW_HOSTS.length} entries of your own`
      : 'only'
  return found.some(({ state }) => state === 'fault')
    ? found
    : [ok('worker', `webhooks go to the internet ${rule}`), ...found]
}

/** Tenants choose where webhooks go: never to the database, to Redis or to a cloud's metadata. */
async function allowedTooMuch(ctx: DoctorContext, hosts: readonly string[]): Promise<Finding[]> {
  if (hosts.length === 0) return []
  const allowed = parseAllowed(hosts)
  const config = valuesOf(ctx, 'worker', ['DATABASE_URL', ...redisVariables])
  const own = [
    ...(config
      ? [
          { what: 'Postgres', host: new URL(config.DATABASE_URL).hostname },
          ...redisServers(config).map(({ host }) => ({ what: 'Redis', host })),
        ]
      : []),
    ...metadata.map((host) => ({ what: 'the metadata of your cloud', host })),
  ]
  const reached = await Promise.all(
    own.map(async ({ what, host }) => {
      const name = host.replace(/^\[|\]$/g, '')
      const addresses = isIP(name)
        ? [name]
        : await lookup(name, { all: true }).then(
            (all) => all.map(({ address }) => address),
            () => [],
          )
      return isAllowed(allowed, name) || addresses.some((address) => isWithin(address, allowed.networks))
        ? [what]
        : []
    }),
  )
  const what = [...new Set(reached.flat())]
  if (what.length === 0) return []
  return [
    fault(
      'worker',
      'egress_open',
      `WEBHOOK_ALLOW_HOSTS lets tenants send requests to ${what.join(' and ')}`,
      'Name only the hosts of your own receivers there.',
    ),
  ]
}

/** Requests from the proxy a connection to a host that Cowry uses anyway. */
async function proxyWorks(ctx: DoctorContext, proxyUrl: string | undefined): Promise<Finding[]> {
  if (proxyUrl === undefined) return []
  const url = outside(ctx)
  if (!url) return []
  try {
    const { address } = await lookup(url.hostname.replace(/^\[|\]$/g, ''))
    const socket = await connectThrough(
      parseProxy(proxyUrl),
      address,
      portOf(url),
      AbortSignal.timeout(stepMs),
    )
    socket.destroy()
    return []
  } catch (error) {
    const text = messageOf(error)
    const { code, cure } = faultOf(text)
    return [fault('worker', code, `${text} (asked for ${url.host})`, cure)]
  }
}

function faultOf(text: string): { code: string; cure: string } {
  if (/answered 407/.test(text))
    return { code: 'egress_proxy_login', cure: 'Correct user and password in WEBHOOK_PROXY_URL.' }
  if (/answered 4/.test(text))
    return {
      code: 'egress_proxy_rule',
      cure: 'Allow CONNECT to port 443 of all public addresses in the proxy’s rules.',
    }
  return {
    code: 'egress_proxy',
    cure: 'Start the proxy, or correct WEBHOOK_PROXY_URL: no webhook leaves without it.',
  }
}

const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

function outside({ env }: DoctorContext): URL | null {
  const { chains } = configuredChains(env)
  const [first] = chains.flatMap(({ rpcUrls }) => rpcUrls).filter((url) => URL.canParse(url))
  return first === undefined ? null : new URL(first)
}

/**
 * Where the treasury is examined alone, as in its own container: it needs the database, and nothing outside
 * but its key service.
 */
export async function checkTreasuryEgress(ctx: DoctorContext): Promise<Finding[]> {
  const url = outside(ctx)
  if (!url || ctx.parts.length !== 1) return []
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url), timeout: 2000 })
    const end = (opened: boolean) => {
      socket.destroy()
      resolve(opened)
    }
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false))
  })
  if (!isOpen) return [ok('treasury', 'reaches no node')]
  return [
    advice(
      'treasury',
      'egress_treasury',
      `the treasury can reach ${url.host}; it needs only Postgres, and AWS KMS where that wraps its keys`,
      'Put it on a network without a way outside, as docker-compose.yml does.',
    ),
  ]
}
