import type { Queryable } from '../src/platform/database/db.ts'

// An intent is a transfer, or calls with what they spend and receive; the platform may own it. Only metadata
// changes: no row is rewritten or read.

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents
      alter business_id drop not null,
      alter to_address drop not null,
      alter symbol drop not null,
      alter decimals drop not null,
      alter amount drop not null,
      drop constraint intents_purpose_check,
      drop constraint intents_signer_check,
      add calls jsonb,
      add cosigners text[],
      add spends jsonb,
      add receives jsonb,
      add constraint intents_action_check check (case when calls is null
        then num_nonnulls(to_address, symbol, decimals, amount) = 4 and num_nonnulls(cosigners, spends, receives) = 0
        else num_nonnulls(to_address, symbol, decimals, amount, contract, memo) = 0 and num_nonnulls(cosigners, spends, receives) = 3
          and jsonb_typeof(calls) = 'array' and calls <> '[]' and jsonb_typeof(spends) = 'array' and jsonb_typeof(receives) = 'array'
        end) not valid,
      add constraint intents_wallet_owner_check check (wallet_id is null or business_id is not null) not valid;
    comment on column intents.business_id is 'the owner; null: the platform';
    comment on column intents.purpose is 'registered in code, with its signers and the treasury''s policy';
    comment on column intents.to_address is 'the recipient of a transfer; null for calls';
    comment on column intents.calls is 'calls of contracts or programs, in order; null for a transfer';
    comment on column intents.cosigners is 'other addresses that sign, in order; null for a transfer';
    comment on column intents.spends is 'what its calls take from addresses of ours, without the fee; null for a transfer, where it follows from the transfer';
    comment on column intents.receives is 'what its calls bring to addresses of ours; null for a transfer';
  `)
}

/** Refuses while there are intents that the version before cannot read: their history must not be deleted. */
export async function down(db: Queryable): Promise<void> {
  const [newer] = await db.query(
    "select 1 from intents where business_id is null or calls is not null or purpose <> 'transfer' or signer not in ('caller', 'external', 'wallet') limit 1",
  )
  if (newer)
    throw new Error(
      'there are intents of the platform, of calls, or of other purposes: the version before cannot read them',
    )
  await db.query(`
    alter table intents
      drop constraint intents_wallet_owner_check,
      drop constraint intents_action_check,
      drop receives,
      drop spends,
      drop cosigners,
      drop calls,
      add constraint intents_purpose_check check (purpose in ('transfer')),
      add constraint intents_signer_check check (signer in ('caller', 'external', 'wallet')),
      alter amount set not null,
      alter decimals set not null,
      alter symbol set not null,
      alter to_address set not null,
      alter business_id set not null;
    comment on column intents.business_id is null;
    comment on column intents.purpose is null;
    comment on column intents.to_address is null;
  `)
}
