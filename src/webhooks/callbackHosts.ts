import type { Queryable } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { readHostNames } from '../platform/hostNames.ts'
import { requireUrl, storedUrl } from './changeEndpoint.ts'
import type { EndpointContext } from './endpoint.ts'

type Receivers = Pick<EndpointContext, 'environment' | 'allowHosts'>

/** The hosts of callbacks, and what is wrong with them. */
export const checkHosts = (
  ctx: Receivers,
  hosts: readonly string[],
): { names: string[]; wrong: FieldMistake[] } =>
  readHostNames(
    hosts,
    { field: 'hosts', what: 'a public host name' },
    (name) => isHost(name) && requireUrl(ctx, `https://${name}/`).length === 0,
  )

const isHost = (name: string): boolean =>
  /^[a-z0-9.-]{1,253}$/.test(name) && !name.endsWith('.') && URL.parse(`https://${name}/`)?.hostname === name

/**
 * The URL that gets the events of one session.
 * @returns as it is stored, shown and called; null: there is none
 * @throws ApiError 400 naming `webhookUrl`: `invalid_url`, `unlisted_host`
 */
export async function requireCallbackUrl(
  ctx: Receivers & { db: Queryable },
  businessId: string,
  text: string | undefined,
): Promise<string | null> {
  if (text === undefined) return null
  const field = 'webhookUrl'
  const wrong = requireUrl(ctx, text, field)
  if (wrong.length > 0) throw invalidBody(...wrong)
  const url = storedUrl(text)
  const hosts = await readHosts(ctx.db, businessId)
  if (hosts.includes(new URL(url).hostname)) return url
  const listed = hosts.length > 0 ? hosts.join(', ') : 'none is set'
  throw invalidBody({
    field,
    message: `must have one of your callback hosts (${listed}; set them with PUT /webhook-callbacks or in the dashboard, Webhooks)`,
    code: 'unlisted_host',
  })
}

async function readHosts(db: Queryable, businessId: string): Promise<string[]> {
  const rows = await db.query<{ host: string }>(
    'select callback_host as host from webhook_endpoints where business_id = $1 and callback_host is not null and removed_at is null order by 1',
    [businessId],
  )
  return rows.map(({ host }) => host)
}
