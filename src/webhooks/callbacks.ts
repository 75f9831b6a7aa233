import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { checkHosts } from './callbackHosts.ts'
import { type EndpointContext, failWaiting, lockEvents } from './endpoint.ts'
import { newSecret } from './newSecret.ts'
import { generateWebhookSecret, openWebhookSecret, sealWebhookSecret } from './secret.ts'

// A host of callbacks is stored as an endpoint of its own: its deliveries are claimed, capped and held back
// together, however many URLs they go to. All hosts of a business have one secret, sealed for each.

export interface CallbacksView {
  /** In alphabetical order. `id` is the `endpointId` of its deliveries. */
  hosts: {
    host: string
    id: string
    failingSince: string | null
    lastDeliveredAt: string | null
    lastError: string | null
    /** Deliveries still to be made. */
    waiting: number
  }[]
  /** Until then callbacks are also signed with the previous secret. */
  previousSecretUntil: string | null
}

interface HostRow {
  id: string
  host: string
  removed: boolean
  sealedSecret: Buffer
  previousSealedSecret: Buffer | null
  previousUntil: Date | null
}

/** Hosts that the `webhookUrl` of a session may have. */
export async function getCallbacks(db: Queryable, businessId: string): Promise<CallbacksView> {
  const rows = await db.query<{
    id: string
    host: string
    failingSince: Date | null
    lastDeliveredAt: Date | null
    lastError: string | null
    previousUntil: Date | null
    waiting: string
  }>(
    `select e.id, e.callback_host as host, e.failing_since as "failingSince", e.last_delivered_at as "lastDeliveredAt", e.last_error as "lastError",
       case when e.previous_until > now() then e.previous_until end as "previousUntil", coalesce(w.n, 0)::text as waiting
     from webhook_endpoints e left join (
       select endpoint_id, sum(n) as n from webhook_delivery_counts where business_id = $1 and status = 'pending' group by endpoint_id) w on w.endpoint_id = e.id
     where e.business_id = $1 and e.callback_host is not null and e.removed_at is null order by e.callback_host`,
    [businessId],
  )
  return {
    hosts: rows.map(({ previousUntil: _, ...row }) => ({
      ...row,
      failingSince: row.failingSince?.toISOString() ?? null,
      lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
      waiting: Number(row.waiting),
    })),
    previousSecretUntil: rows[0]?.previousUntil?.toISOString() ?? null,
  }
}

/**
 * Replaces the hosts. The waiting deliveries of one that is left out fail. The first host makes the secret,
 * which stays when hosts come and go.
 * @param also runs in the same transaction
 * @returns the secret only where it was made now
 * @throws ApiError 400 naming each that is not a public host name; 409 `cap_reached`
 */
export function setCallbackHosts(
  ctx: EndpointContext,
  businessId: string,
  hosts: readonly string[],
  also: (tx: Tx, result: { before: CallbacksView; after: CallbacksView }) => Promise<void>,
): Promise<{ callbacks: CallbacksView; secret: Secret | null }> {
  const { names, wrong } = checkHosts(ctx, hosts)
  if (wrong.length > 0) throw invalidBody(...wrong)
  return ctx.db.tx(async (tx) => {
    const rows = await lockHosts(tx, businessId)
    requireFew([...rows.map(({ host }) => host), ...names])
    const before = await getCallbacks(tx, businessId)
    const [known] = rows
    const made = !known && names.length > 0 ? generateWebhookSecret() : null
    for (const host of names) {
      const row = rows.find((each) => each.host === host)
      if (row?.removed) await addAgain(tx, row.id)
      else if (!row) await addHost(ctx, tx, businessId, host, known ?? null, made)
    }
    for (const row of rows)
      if (!row.removed && !names.includes(row.host)) {
        await tx.query('update webhook_endpoints set removed_at = now() where id = $1', [row.id])
        await failWaiting(tx, row.id)
        await tx.query('delete from webhook_type_health where endpoint_id = $1', [row.id])
      }
    const after = await getCallbacks(tx, businessId)
    await also(tx, { before, after })
    return { callbacks: after, secret: made }
  })
}

/** Hosts of a business over time: removed ones stay for their deliveries, and all are read with each change. */
const maxKnownHosts = 200

function requireFew(hosts: readonly string[]): void {
  if (new Set(hosts).size > maxKnownHosts)
    throw new ApiError(
      409,
      'cap_reached',
      `A business may list up to ${maxKnownHosts} callback hosts over time, with those that it removed: list one of these again`,
    )
}

const overlapHours = 24

/**
 * Replaces the secret of all hosts. The previous one also signs for a day.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `secret`; 409 `no_callback_hosts`
 */
export function rotateCallbackSecret(
  ctx: EndpointContext,
  businessId: string,
  { secret: own }: { secret?: string },
  also: (tx: Tx, result: { callbacks: CallbacksView }) => Promise<void>,
): Promise<{ callbacks: CallbacksView; secret: Secret }> {
  const made = newSecret('hmac', own)
  if ('wrong' in made) throw invalidBody(...made.wrong)
  const { secret } = made
  return ctx.db.tx(async (tx) => {
    const rows = await lockHosts(tx, businessId)
    const [first] = rows
    if (!first)
      throw new ApiError(
        409,
        'no_callback_hosts',
        'There is no secret yet: set a callback host first, which makes it',
      )
    if (secret.reveal() === openWebhookSecret(ctx.appKey, first.id, first.sealedSecret).reveal())
      throw invalidBody({ field: 'secret', message: 'is the present secret', code: 'not_possible' })
    for (const { id } of rows)
      await tx.query(
        `update webhook_endpoints set previous_sealed_secret = sealed_secret, previous_until = now() + $2 * interval '1 hour', sealed_secret = $3
         where id = $1`,
        [id, overlapHours, sealWebhookSecret(ctx.appKey, id, secret)],
      )
    const callbacks = await getCallbacks(tx, businessId)
    await also(tx, { callbacks })
    return { callbacks, secret }
  })
}

/**
 * Every host that the business has had, also removed ones: endpoints before the events, as everywhere. Whoever
 * adds one holds the events' lock, so that two do not make two secrets.
 */
async function lockHosts(tx: Tx, businessId: string): Promise<HostRow[]> {
  const read = (lock: string) =>
    tx.query<HostRow>(
      `select id, callback_host as host, removed_at is not null as removed, sealed_secret as "sealedSecret",
         previous_sealed_secret as "previousSealedSecret", previous_until as "previousUntil"
       from webhook_endpoints where business_id = $1 and callback_host is not null order by id ${lock}`,
      [businessId],
    )
  await read('for no key update')
  await lockEvents(tx, businessId)
  return read('')
}

const addAgain = (tx: Tx, id: string) =>
  tx.query(
    `update webhook_endpoints set removed_at = null, consecutive_failures = 0, failing_since = null, failing_spells = 0, failing_spell_at = null,
       callback_not_before = null, last_error = null where id = $1`,
    [id],
  )

async function addHost(
  ctx: EndpointContext,
  tx: Tx,
  businessId: string,
  host: string,
  known: HostRow | null,
  made: Secret | null,
): Promise<void> {
  const id = newId()
  const again = (sealed: Buffer) =>
    sealWebhookSecret(ctx.appKey, id, openWebhookSecret(ctx.appKey, known?.id ?? '', sealed))
  const sealed = known ? again(known.sealedSecret) : made && sealWebhookSecret(ctx.appKey, id, made)
  if (!sealed) throw new Error('a host of callbacks without a secret')
  const previous = known?.previousSealedSecret ?? null
  // Without types, because processes of the version before would take it for an endpoint.
  await tx.query(
    `insert into webhook_endpoints (id, business_id, url, host, description, event_types, signature, sealed_secret, previous_sealed_secret,
       previous_until, callback_host, not_before)
     values ($1, $2, $3, $4, 'Callbacks of sessions', '{}', 'hmac', $5, $6, $7, $4, 'infinity')`,
    [
      id,
      businessId,
      `https://${host}/`,
      host,
      sealed,
      previous && again(previous),
      known?.previousUntil ?? null,
    ],
  )
}
