import type { Queryable } from '../platform/database/db.ts'

/** A webhook endpoint that does not take its deliveries. */
export interface FailingEndpoint {
  id: string
  url: string
  /** `paused`: by Cowry, because it failed or is gone. */
  status: 'failing' | 'paused'
}

/** Endpoints whose latest deliveries failed, all or of one type; those that an owner paused are left out. */
export const failingEndpoints = (db: Queryable, businessId: string): Promise<FailingEndpoint[]> =>
  db.query<FailingEndpoint>(
    `select id, url, case when status = 'paused' then 'paused' else 'failing' end as status
     from webhook_endpoints e where business_id = $1 and removed_at is null and callback_host is null and paused_reason is distinct from 'owner'
       and (status = 'paused' or failing_since is not null or exists (
         select 1 from webhook_type_health h where h.endpoint_id = e.id and h.business_id = $1 and h.consecutive_failures > 0))
     order by id`,
    [businessId],
  )
