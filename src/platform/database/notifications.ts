import { ConfigError } from '../config.ts'
import { messageOf } from '../errors.ts'
import { repeat } from '../repeat.ts'
import type { Log } from '../telemetry/log.ts'
import { pause } from '../wait.ts'
import { openDirect } from './db.ts'

/**
 * Listens on the channels and passes each NOTIFY on with its payload, until `signal` is aborted. Reconnects
 * after a lost connection; it then calls `onNotification` once for each channel without a payload, because
 * notifications may have been missed.
 * @param onNotification gets the process id of the backend that notified
 * @param name of the connection, as Postgres shows it
 * @throws ConfigError where the URL leads to a pooler, which loses notifications
 */
export async function listenForNotifications(
  directUrl: string,
  channels: readonly string[],
  onNotification: (channel: string, payload?: string, backend?: number) => void,
  log: Log,
  signal: AbortSignal,
  name = 'cowry relay',
): Promise<void> {
  const failed = (error: unknown): void => {
    if (error instanceof ConfigError) throw error
    log.warn({ err: messageOf(error) }, 'the notification connection failed; polling continues')
  }
  await repeat(signal, { everyMs: 1000, failed }, async () => {
    const direct = await openDirect(directUrl, name)
    direct.on('notification', onNotification)
    for (const channel of channels) await direct.query(`listen ${channel}`)
    for (const channel of channels) onNotification(channel)
    const ended = new AbortController()
    void direct.lost.then(() => ended.abort())
    // Ends when the connection is lost or the process stops; the hour is only an upper bound.
    while (!signal.aborted && !ended.signal.aborted)
      await pause(3_600_000, AbortSignal.any([signal, ended.signal]))
    await direct.close().catch(() => {})
  })
}
