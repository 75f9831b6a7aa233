import { inTime } from '../platform/wait.ts'

/** No part of the page takes longer than this. */
const maxMs = 2000

/** @returns null where `work` fails, or does not end in time */
export const within = <T>(work: Promise<T>): Promise<T | null> =>
  inTime(
    maxMs,
    work.catch(() => null),
    null,
  )
