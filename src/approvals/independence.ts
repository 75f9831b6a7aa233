/**
 * SQL: true if an account is not independent of the request of the approval `a`: it made the request,
 * sponsored the key that did (made it, rotated it, gave it permissions), or sponsored the member behind it
 * (invited or promoted), directly or through others. Later sponsorships do not undo a decision.
 * @param account SQL
 */
export const dependsOnSql = (account: string): string => `exists (
  with recursive behind (account_id) as (
    (select a.asked_by_account where a.asked_by_account is not null
     union select k.account_id from api_keys asked join key_sponsors k on k.root_id = asked.root_id
     where asked.id = a.asked_by_key and coalesce(k.created_at <= a.decided_at, true))
    union
    select s.sponsor_id from behind b join member_sponsors s on s.business_id = a.business_id and s.account_id = b.account_id
    where coalesce(s.created_at <= a.decided_at, true)
  ) select 1 from behind where account_id = ${account})`

/**
 * What an open approval `a` needs. `owner`: the decision of an owner who is independent of the request.
 * `independent_owner`: no owner is, so another one has to join.
 */
export type Needs = 'owner' | 'independent_owner'

/** SQL: `Needs` of the approval `a`; null for one that is decided. */
export const needsSql = `case when a.decision is not null then null
  when exists (select 1 from members o where o.business_id = a.business_id and o.role = 'owner' and not ${dependsOnSql('o.account_id')}) then 'owner'
  else 'independent_owner' end`
