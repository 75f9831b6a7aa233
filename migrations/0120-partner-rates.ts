import type { Queryable } from '../src/platform/database/db.ts'

/** The last accepted rate of each currency, and the last refused one. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table partner_rates (
      partner text not null,
      url text not null,
      currency text not null,
      buy numeric check (buy > 0),
      sell numeric check (sell > 0),
      at timestamptz,
      anchor_buy numeric check (anchor_buy > 0),
      anchor_sell numeric check (anchor_sell > 0),
      anchor_at timestamptz,
      refused_buy numeric check (refused_buy > 0),
      refused_sell numeric check (refused_sell > 0),
      refused_at timestamptz,
      refused_reason text check (refused_reason in ('spread', 'jump')),
      refused_since timestamptz,
      primary key (partner, url, currency),
      check (num_nulls(buy, sell, at, anchor_buy, anchor_sell, anchor_at) in (0, 6)),
      check (num_nulls(refused_buy, refused_sell, refused_at, refused_reason, refused_since) in (0, 5)),
      check (buy is not null or refused_buy is not null)
    );
    comment on column partner_rates.url is 'where it was asked: a test system has other rates';
    comment on column partner_rates.buy is 'of the last accepted rate; null before the first';
    comment on column partner_rates.at is 'when the partner observed it';
    comment on column partner_rates.anchor_buy is 'of the accepted rate that jumps are measured from';
    comment on column partner_rates.anchor_at is 'when that was accepted';
    comment on column partner_rates.refused_buy is 'of the last answer, if the limits refuse it; prices do not use it';
    comment on column partner_rates.refused_since is 'when the first one since the last accepted rate was refused';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table partner_rates')
}
