import type { Queryable } from '../src/platform/database/db.ts'

/** Days in which keys that exist may still name addresses of refunds without `refunds:address`. */
const keptDays = 30

const keyInUse = (more: { column: string; select: string }) => `
    create function api_key_in_use(of_hash bytea) returns table (
      id uuid, name text, prefix text, business_id uuid, business_name text, approval text, scope text, allowed_addresses text[],
      requests_per_minute integer, permissions text[], expires_at timestamptz, write_permissions text[], root_id uuid,
      sent_from_wallets_at timestamptz${more.column}
    ) language plpgsql stable as $$
    begin
      return query
        select k.id, k.name, k.prefix, k.business_id, b.name, b.approval, k.scope, k.allowed_addresses, k.requests_per_minute, k.permissions, k.expires_at, k.write_permissions, k.root_id, k.sent_from_wallets_at${more.select}
        from api_keys k join businesses b on b.id = k.business_id
        where k.hash = of_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    end $$;`

/**
 * To name the address of a refund needs a permission of its own. Keys that could do so keep that for a while.
 * The index is for the limits of keys.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table api_keys add refund_address_until timestamptz;
    comment on column api_keys.refund_address_until is
      'until then it may name addresses of refunds without refunds:address, as before; null: made later, or an owner has decided';
    update api_keys set refund_address_until = now() + interval '${keptDays} days'
      where scope = 'write' and 'refunds:create' = any(coalesce(permissions, write_permissions));
    create index api_keys_refund_address on api_keys (business_id) where refund_address_until is not null;
    create index outflows_asked_by_key on outflows (asked_by_key) where asked_by_key is not null;

    drop function api_key_in_use;
    ${keyInUse({ column: ', refund_address_until timestamptz', select: ', k.refund_address_until' })}
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop function api_key_in_use;
    ${keyInUse({ column: '', select: '' })}
    drop index outflows_asked_by_key; drop index api_keys_refund_address;
    alter table api_keys drop refund_address_until
  `)
}
