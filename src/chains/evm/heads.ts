import type { Log } from '../../platform/log.ts'
import { pause } from '../../platform/wait.ts'
import type { BlockHeader } from '../chain.ts'
import { headerOf } from './header.ts'
import type { RpcHeader } from './rpcTypes.ts'

/**
 * Listens for new heads over WebSocket and calls `onHead` with each. What it says is a hint: whoever listens reads the block
 * itself, and polls as well. Connects again by itself, to the next URL, with a growing pause.
 */
export async function listenForHeads(urls: readonly string[], onHead: (head: BlockHeader) => void, log: Log, signal: AbortSignal): Promise<void> {
  let failures = 0
  for (let turn = 0; !signal.aborted && urls.length > 0; turn++) {
    const url = urls[turn % urls.length] as string
    const heard = await listenOnce(url, onHead, signal)
    if (signal.aborted) return
    failures = heard ? 0 : failures + 1
    log.warn({ host: new URL(url).host }, 'the subscription to new heads ended; polling goes on')
    await pause(Math.min(500 * 2 ** failures, 30_000), signal)
  }
}

/** A subscription this long without a head is taken for dead. */
const silenceMs = 120_000

function listenOnce(url: string, onHead: (head: BlockHeader) => void, signal: AbortSignal): Promise<boolean> {
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
    socket.addEventListener('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })))
    socket.addEventListener('message', ({ data }) => {
      const head = typeof data === 'string' ? headOf(data) : null
      if (!head) return
      heard = true
      listen()
      onHead(head)
    })
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
  })
}

/** The header in a notification; null where it is none, or one that cannot be read. */
function headOf(message: string): BlockHeader | null {
  try {
    const { method, params } = JSON.parse(message) as { method?: string; params?: { result?: RpcHeader } }
    return method === 'eth_subscription' && params?.result ? headerOf(params.result) : null
  } catch {
    return null
  }
}
