import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The worker creates links only for requested resets: through a function with its owner's rights. A mailed
 * link must never pass for one that the operator handed over, which removes the second factor.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create function offer_mailed_reset(of_mail uuid, link uuid, hash bytea, sealed_token bytea) returns void language plpgsql security definer as $$
    declare
      address text;
    begin
      select email into address from mails where id = of_mail and kind = 'reset' and invitation_id is null for update;
      if not found then raise exception 'this mail is no reset that waits for its link'; end if;
      update invitations set revoked_at = now()
        where purpose = 'reset' and email = address and mail is not null and accepted_at is null and revoked_at is null and expires_at > now();
      insert into invitations (id, purpose, email, token_hash, mail, expires_at)
        values (link, 'reset', address, hash, 'waiting', now() + interval '1 hour');
      update mails set invitation_id = link, sealed = sealed_token where id = of_mail;
    end $$;
    do $$ begin
      execute format('alter function offer_mailed_reset(uuid, uuid, bytea, bytea) set search_path = %I, pg_temp', current_schema());
    end $$;
    -- Revoked until the grants are applied.
    revoke all on function offer_mailed_reset(uuid, uuid, bytea, bytea) from public;

    create function keep_mailed() returns trigger language plpgsql as $$
    begin
      raise exception 'whether an invitation was mailed stays as it is';
    end $$;
    create trigger invitations_keep_mailed before update of mail on invitations for each row
      when ((old.mail is null) <> (new.mail is null)) execute function keep_mailed();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop trigger invitations_keep_mailed on invitations;
    drop function keep_mailed();
    drop function offer_mailed_reset(uuid, uuid, bytea, bytea)
  `)
}
