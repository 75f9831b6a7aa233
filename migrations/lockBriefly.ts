/**
 * Statements of PL/pgSQL that lock tables for a step with running processes. Each try waits half a second:
 * requests wait behind it, and it ends before Postgres checks for deadlocks, so that the step gives way and
 * not a request. Between two tries it holds nothing.
 */
export const lockBriefly = (tables: string): string => `
  perform set_config('lock_timeout', '500ms', true);
  for attempt in 1..60 loop
    begin
      lock table ${tables} in access exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 60 then raise; end if;
      perform pg_sleep(0.25);
    end;
  end loop;`
