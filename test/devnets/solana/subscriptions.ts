import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Devnet } from './control.ts'
import { rpcErrors } from './errors.ts'
import { blockOf, hasTransaction, slotOf, slotsBetween, type View, viewOf } from './faces.ts'
import type { Commitment } from './ledger.ts'
import { commitmentOf, configOf, nodeVersion, signatureOf } from './params.ts'
import { answerOne, faceOf, type RpcRequest } from './rpc.ts'

/** Returns the events since the last call. */
interface Subscription {
  poll(view: View): { notifications: readonly unknown[]; ended?: boolean }
  method: string
}

interface Client {
  socket: WebSocket
  face: string
  subscriptions: Map<number, Subscription>
}

export interface Subscriptions {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Notifies all subscribers; call it after every change. */
  publish(): void
  close(): void
}

/** A new slot, with its parent and the last final slot (Solana docs, slotSubscribe). */
function slotSubscription(view: View): Subscription {
  let last = slotOf(view, 'processed')
  return {
    method: 'slotNotification',
    poll: (now) => {
      const slot = slotOf(now, 'processed')
      if (slot === last) return { notifications: [] }
      last = slot
      const parent = blockOf(now, 'processed')?.parentSlot ?? now.head.slot
      return { notifications: [{ parent, root: now.root.slot, slot }] }
    },
  }
}

/** Each slot that becomes final. */
function rootSubscription(view: View): Subscription {
  let last = view.root.slot
  return {
    method: 'rootNotification',
    poll: (now) => {
      const notifications = slotsBetween(now, last + 1, now.root.slot)
      last = Math.max(last, now.root.slot)
      return { notifications }
    },
  }
}

/**
 * Once the transaction reaches the commitment; then the subscription ends (Solana docs, signatureSubscribe).
 */
function signatureSubscription(signature: string, commitment: Commitment): Subscription {
  return {
    method: 'signatureNotification',
    poll: (now) => {
      const executed = now.ledger.bySignature.get(signature)
      if (!executed || !hasTransaction(now, executed, commitment)) return { notifications: [] }
      const context = { apiVersion: nodeVersion, slot: slotOf(now, commitment) }
      return { notifications: [{ context, value: { err: executed.meta.err } }], ended: true }
    },
  }
}

export function serveSubscriptions(devnet: Devnet): Subscriptions {
  const server = new WebSocketServer({ noServer: true })
  const clients = new Set<Client>()
  let lastId = 0
  const viewFor = (face: string) => viewOf(devnet.ledger, devnet.faces.get(face) ?? {})

  const notify = (client: Client) => {
    const view = viewFor(client.face)
    for (const [subscription, { method, poll }] of client.subscriptions) {
      const { notifications, ended } = poll(view)
      for (const result of notifications)
        client.socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: { result, subscription } }))
      if (ended) client.subscriptions.delete(subscription)
    }
  }

  const subscribe = (client: Client, subscription: Subscription): number => {
    lastId += 1
    client.subscriptions.set(lastId, subscription)
    // Events before the subscription are sent too, after the answer.
    setImmediate(() => notify(client))
    return lastId
  }

  const run = (client: Client, { method, params = [] }: RpcRequest): unknown => {
    switch (method) {
      case 'slotSubscribe':
        return subscribe(client, slotSubscription(viewFor(client.face)))
      case 'rootSubscribe':
        return subscribe(client, rootSubscription(viewFor(client.face)))
      case 'signatureSubscribe':
        return subscribe(
          client,
          signatureSubscription(signatureOf(params[0]), commitmentOf(configOf(params, 1))),
        )
      case 'slotUnsubscribe':
      case 'rootUnsubscribe':
      case 'signatureUnsubscribe':
        if (!client.subscriptions.delete(Number(params[0])))
          throw rpcErrors.invalidParams('Invalid subscription id.')
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
      if (devnet.faces.get(faceOf(request.url))?.down)
        socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
      else
        server.handleUpgrade(request, socket, head, (accepted) =>
          server.emit('connection', accepted, request),
        )
    },
    publish: () => {
      for (const client of clients) notify(client)
    },
    close: () => {
      for (const { socket } of clients) socket.terminate()
      server.close()
    },
  }
}
