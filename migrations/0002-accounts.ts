import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table businesses (
      id uuid primary key,
      name text not null,
      local_currency text check (local_currency ~ '^[A-Z]{3}$'),
      fee_percent numeric(9, 6) not null default 0 check (fee_percent >= 0 and fee_percent < 100),
      fx_margin_percent numeric(9, 6) not null default 0 check (fx_margin_percent >= 0 and fx_margin_percent < 100),
      accepted jsonb,
      created_at timestamptz not null default now()
    );
    comment on column businesses.accepted is 'chain -> tokens that the business takes; null: all that the deployment offers';

    create table api_keys (
      id uuid primary key,
      business_id uuid not null references businesses,
      name text not null,
      prefix text not null,
      hash bytea not null unique,
      scope text not null check (scope in ('read', 'write')),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz
    );
    create index api_keys_business on api_keys (business_id);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table api_keys; drop table businesses')
}
