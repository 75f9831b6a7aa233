import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Devnet } from './control.ts'
import { rpcErrors } from './errors.ts'
import { blockOf, knows, slotOf, slotsBetween, type View, viewOf } from './faces.ts'
import type { Commitment } from './ledger.ts'
import { commitmentOf, configOf, nodeVersion, signatureOf } from './params.ts'
import { answerOne, faceOf, type RpcRequest } from './rpc.ts'

/** Notices what is new since it was last asked. */
interface Subscription {
  news(view: View): { notifications: readonly unknown[]; over?: boolean }
  method: string
}

interface Client {
  socket: WebSocket
  face: string
  subscriptions: Map<number, Subscription>
}

export interface Subscriptions {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells everybody what is new; to be called whenever something happened. */
  publish(): void
  close(): void
}

/** A new slot, with its parent and the last final one (Solana docs, slotSubscribe). */
function slotSubscription(view: View): Subscription {
  let last = slotOf(view, 'processed')
  return {
    method: 'slotNotification',
    news: (now) => {
      const slot = slotOf(now, 'processed')
      if (slot === last) return { notifications: [] }
      last = slot
      const parent = blockOf(now, 'processed')?.parentSlot ?? now.head.slot
      return { notifications: [{ parent, root: now.root.slot, slot }] }
    },
  }
}

/** Each slot that became final. */
function rootSubscription(view: View): Subscription {
  let last = view.root.slot
  return {
    method: 'rootNotification',
    news: (now) => {
      const notifications = slotsBetween(now, last + 1, now.root.slot)
      last = Math.max(last, now.root.slot)
      return { notifications }
    },
  }
}

/** Once, when the transaction has reached the commitment; the subscription ends by itself (Solana docs, signatureSubscribe). */
function signatureSubscription(signature: string, commitment: Commitment): Subscription {
  return {
    method: 'signatureNotification',
    news: (now) => {
      const executed = now.ledger.bySignature.get(signature)
      if (!executed || !knows(now, executed, commitment)) return { notifications: [] }
      const context = { apiVersion: nodeVersion, slot: slotOf(now, commitment) }
      return { notifications: [{ context, value: { err: executed.meta.err } }], over: true }
    },
  }
}

export function serveSubscriptions(devnet: Devnet): Subscriptions {
  const server = new WebSocketServer({ noServer: true })
  const clients = new Set<Client>()
  let lastId = 0
  const viewFor = (face: string) => viewOf(devnet.ledger, devnet.faces.get(face) ?? {})

  const tell = (client: Client) => {
    const view = viewFor(client.face)
    for (const [subscription, { method, news }] of client.subscriptions) {
      const { notifications, over } = news(view)
      for (const result of notifications) client.socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: { result, subscription } }))
      if (over) client.subscriptions.delete(subscription)
    }
  }

  const subscribe = (client: Client, subscription: Subscription): number => {
    lastId += 1
    client.subscriptions.set(lastId, subscription)
    // What happened before it asked is told too, behind the answer.
    setImmediate(() => tell(client))
    return lastId
  }

  const run = (client: Client, { method, params = [] }: RpcRequest): unknown => {
    switch (method) {
      case 'slotSubscribe':
        return subscribe(client, slotSubscription(viewFor(client.face)))
      case 'rootSubscribe':
        return subscribe(client, rootSubscription(viewFor(client.face)))
      case 'signatureSubscribe':
        return subscribe(client, signatureSubscription(signatureOf(params[0]), commitmentOf(configOf(params, 1))))
      case 'slotUnsubscribe':
      case 'rootUnsubscribe':
      case 'signatureUnsubscribe':
        if (!client.subscriptions.delete(Number(params[0]))) throw rpcErrors.invalidParams('Invalid subscription id.')
        return true
      default:
        throw rpcErrors.methodNotFound()
    }
  }

  server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const client: Client = { socket, face: faceOf(request.url), subscriptions: new Map() }
    clients.add(client)
    devnet.sockets = clients.size
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clients.delete(client)
      devnet.sockets = clients.size
    })
    socket.on('message', (data) => {
      const answer = answerOne(String(data), (call) => run(client, call))
      if (answer) socket.send(answer)
    })
  })

  return {
    upgrade: (request, socket, head) => {
      if (devnet.faces.get(faceOf(request.url))?.down) socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
      else server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request))
    },
    publish: () => {
      for (const client of clients) tell(client)
    },
    close: () => {
      for (const { socket } of clients) socket.terminate()
      server.close()
    },
  }
}
