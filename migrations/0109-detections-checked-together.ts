import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The references of new detections are checked once a statement. Foreign keys are checked row by row, and
 * lock the transfer, the watch and the business of each: that took more time than all the rest of the insert.
 * Watches are never deleted, and a watch keeps its business, so a detection's business is the watch's.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    lock table businesses, watches, transfers, detections in access exclusive mode;
    alter table detections drop constraint detections_transfer_id_fkey, drop constraint detections_watch_id_fkey, drop constraint detections_business_id_fkey;

    -- "offset 0" finds each row by its key: a join may read all transfers. The setting is for a plan that is made while the tables are small.
    create function check_new_detections() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      if exists (
        select from added a
        where not exists (select from transfers where id = a.transfer_id offset 0)
          or not exists (select from watches where id = a.watch_id and business_id is not distinct from a.business_id offset 0)
      ) then
        raise exception 'a detection names a transfer or a watch that is not there, or another business than its watch' using errcode = 'foreign_key_violation';
      end if;
      return null;
    end $$;
    create trigger detections_checked after insert on detections
      referencing new table as added for each statement execute function check_new_detections();

    create function keep_detected_transfers() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      if exists (select from gone g where exists (select from detections where transfer_id = g.id offset 0)) then
        raise exception 'a transfer with a detection is never deleted' using errcode = 'foreign_key_violation';
      end if;
      return null;
    end $$;
    create trigger transfers_kept after delete on transfers
      referencing old table as gone for each statement execute function keep_detected_transfers();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    lock table businesses, watches, transfers, detections in access exclusive mode;
    drop trigger transfers_kept on transfers;
    drop function keep_detected_transfers();
    drop trigger detections_checked on detections;
    drop function check_new_detections();
    alter table detections
      add constraint detections_transfer_id_fkey foreign key (transfer_id) references transfers,
      add constraint detections_watch_id_fkey foreign key (watch_id) references watches,
      add constraint detections_business_id_fkey foreign key (business_id) references businesses
  `)
}
