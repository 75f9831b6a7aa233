import type { Log } from '../../platform/telemetry/log.ts'
import { pause } from '../../platform/wait.ts'
import type { BlockHeader } from '../chain.ts'

/** The subscription to new blocks of a chain family. */
export interface HeadSubscription {
  /** The JSON-RPC call that subscribes. */
  method: string
  params: unknown[]
  /**
   * The header in a message; undefined if the message is not about a block, null if it is about a block
   * without its header.
   */
  headOf(message: { method?: unknown; params?: { result?: unknown } }): BlockHeader | null | undefined
}

/** Receives a new block's header, or null for a block without its header. */
export type OnHead = (head: BlockHeader | null) => void

/**
 * Subscribes to new heads over WebSocket and calls `onHead` with each. Heads are hints: the caller reads the
 * block itself, and also polls. Reconnects to the next URL, with backoff.
 */
export async function listenForHeads(
  subscription: HeadSubscription,
  urls: readonly string[],
  onHead: OnHead,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  for (let attempt = 0; !signal.aborted && urls.length > 0; attempt++) {
    const url = urls[attempt % urls.length] as string
    const heard = await listenOnce(subscription, url, onHead, signal)
    if (signal.aborted) return
    failures = heard ? 0 : failures + 1
    log.warn({ host: new URL(url).host }, 'the subscription to new heads ended; polling continues')
    await pause(Math.min(500 * 2 ** failures, 30_000), signal)
  }
}

/** Reconnect after this long without a head. */
const silenceMs = 120_000

function listenOnce(
  subscription: HeadSubscription,
  url: string,
  onHead: OnHead,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    let heard = false
    let silence: NodeJS.Timeout
    const socket = new WebSocket(url)
    const end = () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      socket.close()
      resolve(heard)
    }
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
    }
    listen()
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('open', () =>
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: subscription.method, params: subscription.params }),
      ),
    )
    socket.addEventListener('message', ({ data }) => {
      const head = typeof data === 'string' ? headIn(subscription, data) : undefined
      if (head === undefined) return
      heard = true
      listen()
      onHead(head)
    })
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
  })
}

/** @returns undefined if the message is not a head, or is malformed */
function headIn(subscription: HeadSubscription, message: string): BlockHeader | null | undefined {
  try {
    return subscription.headOf(JSON.parse(message))
  } catch {
    return undefined
  }
}
