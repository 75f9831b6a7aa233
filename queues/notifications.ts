import { openDirect } from '../src/platform/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { Log } from '../src/platform/log.ts'
import { pause } from '../src/platform/wait.ts'

/**
 * Tells each NOTIFY on the channels, and what it carries; connects again when the connection is lost, and then says of each channel
 * that something may have been missed: nothing is carried. Ends with `signal`.
 */
export async function listenForNotifications(
  directUrl: string,
  channels: readonly string[],
  heard: (channel: string, payload?: string) => void,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const direct = await openDirect(directUrl, 'cowry relay')
      direct.on('notification', heard)
      for (const channel of channels) await direct.query(`listen ${channel}`)
      for (const channel of channels) heard(channel)
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
