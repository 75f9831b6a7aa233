import { openDirect } from '../src/platform/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { Log } from '../src/platform/log.ts'
import { pause } from '../src/platform/wait.ts'

/** Rings at each NOTIFY on the channels; connects again when the connection is lost. Ends with `signal`. */
export async function listenForNotifications(
  directUrl: string,
  channels: readonly string[],
  ring: () => void,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const direct = await openDirect(directUrl, 'cowry relay')
      direct.on('notification', ring)
      for (const channel of channels) await direct.query(`listen ${channel}`)
      ring()
      const ended = new AbortController()
      void direct.lost.then(() => ended.abort())
      // Wakes when the connection is lost or the process stops; an hour is only an upper bound.
      while (!signal.aborted && !ended.signal.aborted) await pause(3_600_000, AbortSignal.any([signal, ended.signal]))
      await direct.close().catch(() => {})
    } catch (error) {
      log.warn({ err: messageOf(error) }, 'no notifications from the database; polling goes on')
    }
    await pause(1000, signal)
  }
}
