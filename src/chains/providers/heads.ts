import type { Log } from '../../platform/log.ts'
import { pause } from '../../platform/wait.ts'
import type { BlockHeader } from '../chain.ts'

/** How a family's nodes tell of new blocks. */
export interface HeadSubscription {
  /** The JSON-RPC call that subscribes. */
  method: string
  params: unknown[]
  /** What a message says; undefined where it tells of no block, null where it tells of one without its header. */
  headOf(message: { method?: unknown; params?: { result?: unknown } }): BlockHeader | null | undefined
}

/** Told of a new block: its header, or null where only its being there was told. */
export type OnHead = (head: BlockHeader | null) => void

/**
 * Listens for new heads over WebSocket and calls `onHead` with each. What it says is a hint: whoever listens reads the block
 * itself, and polls as well. Connects again by itself, to the next URL, with a growing pause.
 */
export async function listenForHeads(
  subscription: HeadSubscription,
  urls: readonly string[],
  onHead: OnHead,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  for (let turn = 0; !signal.aborted && urls.length > 0; turn++) {
    const url = urls[turn % urls.length] as string
    const heard = await listenOnce(subscription, url, onHead, signal)
    if (signal.aborted) return
    failures = heard ? 0 : failures + 1
    log.warn({ host: new URL(url).host }, 'the subscription to new heads ended; polling goes on')
    await pause(Math.min(500 * 2 ** failures, 30_000), signal)
  }
}

/** A subscription this long without a head is taken for dead. */
const silenceMs = 120_000

function listenOnce(subscription: HeadSubscription, url: string, onHead: OnHead, signal: AbortSignal): Promise<boolean> {
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
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: subscription.method, params: subscription.params })),
    )
    socket.addEventListener('message', ({ data }) => {
      const head = typeof data === 'string' ? told(subscription, data) : undefined
      if (head === undefined) return
      heard = true
      listen()
      onHead(head)
    })
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
  })
}

/** What a notification tells; undefined where it is none, or one that cannot be read. */
function told(subscription: HeadSubscription, message: string): BlockHeader | null | undefined {
  try {
    return subscription.headOf(JSON.parse(message))
  } catch {
    return undefined
  }
}
