import type { Dispatcher as DispatcherOf } from 'undici'
import api from 'undici/lib/api/index.js'
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// The part of undici that sends requests. Its main entry point also loads caches, mocks, fetch and WebSocket:
// 100 ms of CPU instead of 40.

// As undici's main entry point does: adds `request` and the other calls to a dispatcher.
Object.assign(Dispatcher.prototype, api)

export type { DispatcherOf as Dispatcher }
export { Agent, buildConnector, Pool }
