-- As in 0057-failing-types.sql, with claims ahead of the slots of a worker, and claims that it returns. Workers of the version before call it without
-- the last four.
create function take_webhook_turn(
  of_endpoint uuid,
  ids uuid[], created timestamptz[], numbers integer[], tries_made integer[], outcomes text[], waits_ms float8[], event_types text[], kinds text[], started timestamptz[],
  durations_ms integer[], codes integer[], bodies text[], errors text[], created_from timestamptz, created_to timestamptz,
  sent_to text, good boolean, bad integer, error text,
  pause_after_ms float8, cap integer, troubled_cap integer, troubled_from integer, host_cap integer,
  claim_ms float8, wish_ms float8, step_ms float8, longest_ms float8, spells_to_pause integer, slot_ms float8, slots integer,
  held uuid[] default '{}', returned uuid[] default '{}', returned_numbers integer[] default '{}', ahead integer default 0)
returns table (
  id uuid, business_id uuid, url text, sealed_secret bytea, previous_sealed_secret bytea, previous_until timestamptz, sealed_headers bytea,
  consecutive_failures integer, open boolean, overdue boolean, failed integer, has_news boolean, limited_ms float8,
  delivery_id uuid, created_at timestamptz, attempts integer, tries integer, event_id uuid, type text, sequence bigint, data jsonb)
language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  ms constant interval := interval '1 millisecond';
  e webhook_endpoints;
  at_now timestamptz;
  here boolean;
  given_up uuid[];
  claimed_ids uuid[];
  claimed_created timestamptz[];
  claimed_attempts integer[];
  claimed_tries integer[];
  claimed_from timestamptz;
  claimed_to timestamptz;
  free bigint := 0;
  under_way bigint;
  of_others bigint;
  more integer := 0;
  siblings uuid[];
  host_free bigint;
  slot bigint;
  counts integer[];
begin
  select * into e from webhook_endpoints where id = of_endpoint for no key update;
  if not found then return; end if;
  -- Read the clock after waiting for the lock.
  at_now := clock_timestamp();
  failed := 0;
  has_news := false;
  if e.max_per_second is not null then
    -- A clock that was set back stays in the slot that it had reached.
    slot := greatest(floor(extract(epoch from at_now) * 1000 / slot_ms), e.rate_slot);
    counts := array(select coalesce(e.rate_counts[i - least(slot - e.rate_slot, slots)::integer], 0) from generate_series(1, slots) as i order by i);
    if cardinality(ids) > 0 then
      counts[1] := counts[1] + cardinality(ids);
      update webhook_endpoints set rate_slot = slot, rate_counts = counts where id = e.id;
    end if;
  end if;

  if cardinality(ids) > 0 then
    here := sent_to = e.url;
    if here and (good or bad > 0) then
      if good then
        e.consecutive_failures := 0;
        e.failing_since := null;
        e.failing_spells := 0;
        e.failing_spell_at := null;
        e.not_before := null;
        e.last_delivered_at := at_now;
        e.recovered_from := coalesce(e.stopped_for, e.recovered_from);
        e.stopped_for := null;
        has_news := e.recovered_from is not null;
      end if;
      if bad > 0 then
        e.consecutive_failures := e.consecutive_failures + bad;
        e.failing_since := coalesce(e.failing_since, at_now);
        -- Failures of one spell may have one short cause: count spells, each a sixth of the time apart.
        if e.failing_spell_at is null or e.failing_spell_at <= at_now - pause_after_ms / 6 * ms then
          e.failing_spells := e.failing_spells + 1;
          e.failing_spell_at := at_now;
        end if;
        e.not_before := at_now + greatest(wish_ms, least(longest_ms, step_ms * (e.consecutive_failures - troubled_from - 1))) * ms;
      end if;
      if error is not null then
        e.last_failed_at := at_now;
        e.last_error := error;
      end if;
      update webhook_endpoints set consecutive_failures = e.consecutive_failures, failing_since = e.failing_since, not_before = e.not_before,
        last_delivered_at = e.last_delivered_at, last_failed_at = e.last_failed_at, last_error = e.last_error,
        failing_spells = e.failing_spells, failing_spell_at = e.failing_spell_at, stopped_for = e.stopped_for, recovered_from = e.recovered_from
      where id = e.id;
      overdue := error is not null and e.failing_since <= at_now - pause_after_ms * ms and e.failing_spells >= spells_to_pause;
    end if;

    with r as materialized (
      select u.*, case when here or u.outcome = 'delivered' then u.outcome else 'pending' end as status, case when here then u.wait_ms else 0 end as wait
      from unnest(ids, created, numbers, tries_made, outcomes, waits_ms, started, durations_ms, codes, bodies, errors)
        as u(id, created_at, number, tries, outcome, wait_ms, started_at, duration_ms, code, body, error)),
    done as (
      delete from webhook_queue q using r where q.delivery_id = any(ids) and q.delivery_id = r.id
        and (r.status = 'delivered' or (r.status = 'failed' and q.attempts = r.number and q.tries >= r.tries)) returning q.delivery_id, r.status),
    again as (
      update webhook_queue q set claimed_until = null, next_attempt_at = at_now + case when q.tries < r.tries then 0 else r.wait end * ms
      from r where q.delivery_id = any(ids) and q.delivery_id = r.id and q.attempts = r.number
        and (r.status = 'pending' or (r.status = 'failed' and q.tries < r.tries))),
    attempts as (
      insert into webhook_attempts (delivery_id, created_at, number, started_at, duration_ms, response_status, response_body, error)
      select id, created_at, number, started_at, duration_ms, code, body, error from r
      on conflict (delivery_id, number, created_at) do update set started_at = excluded.started_at, duration_ms = excluded.duration_ms,
        response_status = excluded.response_status, response_body = excluded.response_body, error = excluded.error)
    select coalesce(array_agg(delivery_id), '{}') into given_up from done where status = 'failed';
    failed := cardinality(given_up);
    execute format($told$
      update webhook_deliveries d set
        status = case when r.outcome = 'delivered' then 'delivered' when d.id = any($5) then 'failed' else d.status end,
        attempts_count = greatest(d.attempts_count, r.number),
        delivered_at = case when r.outcome = 'delivered' then coalesce(d.delivered_at, $6) else d.delivered_at end
      from unnest($1, $2, $3, $4) as r(id, created_at, number, outcome)
      where d.id = r.id and d.created_at = r.created_at and d.created_at between %1$L and %2$L
    $told$, created_from, created_to) using ids, created, numbers, outcomes, given_up, at_now;

    if here and e.removed_at is null then
      -- A type that is delivered again.
      update webhook_type_health h set consecutive_failures = 0, failing_since = null, given_up = 0, recovered = h.recovered or h.reported, reported = false
      where h.endpoint_id = e.id and (h.consecutive_failures > 0 or h.reported)
        and h.type = any(array(select u.type from unnest(event_types, kinds) as u(type, kind) where u.kind = 'delivered'));
      has_news := has_news or found;
      if error is not null or failed > 0 then
        insert into webhook_type_health as h (endpoint_id, business_id, type, consecutive_failures, failing_since, last_failed_at, last_error, given_up, unreported, last_given_up)
        select e.id, e.business_id, s.type, s.bad, case when s.bad > 0 then at_now end, at_now, s.error, s.lost,
          -- Nothing is reported about the reports.
          case when split_part(s.type, '.', 1) in ('endpoint', 'delivery') then 0 else s.lost end, s.last_lost
        from (
          select r.type, count(*) filter (where r.kind <> 'unsendable' and r.n > r.last_good)::integer as bad,
            count(*) filter (where r.id = any(given_up))::integer as lost,
            (array_agg(r.error order by r.n desc))[1] as error, (array_agg(r.id order by r.n desc) filter (where r.id = any(given_up)))[1] as last_lost
          from (
            select u.*, coalesce(max(u.n) filter (where u.kind = 'delivered') over (partition by u.type), 0) as last_good
            from unnest(ids, event_types, kinds, errors) with ordinality as u(id, type, kind, error, n)) r
          where r.kind <> 'delivered' group by r.type) s
        where s.bad > 0 or s.lost > 0
        on conflict (endpoint_id, type) do update set consecutive_failures = h.consecutive_failures + excluded.consecutive_failures,
          failing_since = coalesce(h.failing_since, excluded.failing_since), last_failed_at = excluded.last_failed_at, last_error = excluded.last_error,
          given_up = h.given_up + excluded.given_up, unreported = h.unreported + excluded.unreported,
          last_given_up = coalesce(excluded.last_given_up, h.last_given_up);
      end if;
      has_news := has_news or failed > 0;
    end if;
  end if;

  id := e.id; business_id := e.business_id; url := e.url; sealed_secret := e.sealed_secret; consecutive_failures := e.consecutive_failures;
  previous_sealed_secret := e.previous_sealed_secret; previous_until := e.previous_until; sealed_headers := e.sealed_headers;
  overdue := coalesce(overdue, false);
  open := e.status = 'active' and e.removed_at is null;

  if cardinality(returned) > 0 then
    -- Due as if never claimed: no attempt was made.
    update webhook_queue q set attempts = q.attempts - 1, tries = greatest(q.tries - 1, 0), claimed_until = null, next_attempt_at = at_now
    from unnest(returned, returned_numbers) as r(id, number)
    where q.delivery_id = any(returned) and q.delivery_id = r.id and q.attempts = r.number and q.claimed_until is not null;
  end if;

  if open and not overdue and coalesce(e.not_before <= at_now, true) then
    select count(*), count(*) filter (where q.delivery_id <> all(held)) into under_way, of_others from webhook_queue q
    where q.endpoint_id = e.id and q.next_attempt_at > at_now and q.next_attempt_at <= at_now + claim_ms * ms + interval '1 minute' and q.claimed_until > at_now;
    free := case when e.consecutive_failures >= troubled_from then troubled_cap else cap end - under_way;
    -- One worker alone keeps the cap by itself: others see its claims, and claim none while they reach the cap.
    if of_others = 0 and e.consecutive_failures = 0 and e.max_per_second is null then more := ahead; end if;
  end if;
  if free + more > 0 and e.host <> '' then
    host_cap := coalesce((select c.value from business_caps c where c.business_id = e.business_id and c.name = 'deliveriesPerHost'), host_cap);
    siblings := array(select s.id from webhook_endpoints s where s.business_id = e.business_id and s.host = e.host and s.removed_at is null);
    if cardinality(siblings) * cap > host_cap then
      more := 0;
      -- Serialize the claims for one host from here on: two would count the same free places.
      perform pg_advisory_xact_lock(hashtextextended('cowry webhook host ' || e.business_id || e.host, 0));
      select host_cap - count(*) into host_free from unnest(siblings) as s(id) join webhook_queue q on q.endpoint_id = s.id
        and q.next_attempt_at > at_now and q.next_attempt_at <= at_now + claim_ms * ms + interval '1 minute' and q.claimed_until > at_now;
      free := least(free, host_free);
    end if;
  end if;
  if free > 0 and e.max_per_second is not null then
    -- An attempt reaches the receiver between its claim and its end: count those under way, and those that ended within a second.
    free := least(free, e.max_per_second - under_way - (select sum(n) from unnest(counts) as n));
    -- The oldest leave with the slot that they ended in. Where all are under way, other workers may have them.
    if free <= 0 then
      select coalesce((slots + 1 - max(u.i)) * slot_ms - (extract(epoch from at_now) * 1000 - slot * slot_ms), slot_ms) into limited_ms
      from unnest(counts) with ordinality as u(n, i) where u.n > 0;
    end if;
  end if;
  free := free + more;
  if free > 0 then
    with due as materialized (
      select q.delivery_id, q.created_at, q.attempts, q.claimed_until from webhook_queue q
      where q.endpoint_id = e.id and q.next_attempt_at <= at_now order by q.next_attempt_at limit free for update),
    interrupted as (
      insert into webhook_attempts (delivery_id, created_at, number, started_at, error)
      select d.delivery_id, d.created_at, d.attempts, d.claimed_until - claim_ms * ms, 'interrupted: what came of it is not known'
      from due d where d.claimed_until is not null on conflict do nothing),
    claimed as (
      update webhook_queue q set attempts = q.attempts + 1, tries = q.tries + case when q.claimed_until is null then 1 else 0 end,
        claimed_until = at_now + claim_ms * ms, next_attempt_at = at_now + claim_ms * ms
      where q.delivery_id = any(array(select due.delivery_id from due)) returning q.delivery_id, q.created_at, q.attempts, q.tries)
    select array_agg(c.delivery_id), array_agg(c.created_at), array_agg(c.attempts), array_agg(c.tries), min(c.created_at), max(c.created_at)
    into claimed_ids, claimed_created, claimed_attempts, claimed_tries, claimed_from, claimed_to from claimed c;
  end if;
  if claimed_ids is not null then
    for delivery_id, created_at, attempts, tries, event_id, type, sequence, data in execute format($claimed$
      select c.id, c.created_at, c.attempts, c.tries, v.id, d.type, v.sequence, v.data
      from unnest($1, $2, $3, $4) as c(id, created_at, attempts, tries)
        left join webhook_deliveries d on d.id = c.id and d.created_at = c.created_at and d.created_at between %1$L and %2$L
        left join events v on v.id = d.event_id and v.created_at = d.created_at and v.created_at between %1$L and %2$L
      order by v.sequence
    $claimed$, claimed_from, claimed_to) using claimed_ids, claimed_created, claimed_attempts, claimed_tries
    loop
      return next;
    end loop;
  end if;
  if delivery_id is null then return next; end if;
end $$;
