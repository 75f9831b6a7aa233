import type { Dispatcher as DispatcherOf } from 'undici'
import api from 'undici/lib/api/index.js'
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// The part of undici that sends requests. Its main entry point also loads caches, mocks, fetch and WebSocket:
// from the bundle 38 ms of CPU at the start of each process instead of 23 (the lowest of 15), from its own files 71
// instead of 35. These paths are not part of its interface: `undici.test.ts` names the version that they are of.

// As undici's main entry point does: adds `request` and the other calls to a dispatcher.
Object.assign(Dispatcher.prototype, api)

export type { DispatcherOf as Dispatcher }
export { Agent, buildConnector, Pool }
