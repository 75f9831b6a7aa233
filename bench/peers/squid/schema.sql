-- The output of squid-typeorm-migration for the model.
create table "transfer" (
  "id" character varying not null,
  "tx_hash" text not null,
  "log_index" int4 not null,
  "block_number" int4 not null,
  "sender" text not null,
  "recipient" text not null,
  "amount" numeric not null,
  constraint "transfer_pkey" primary key ("id")
);
