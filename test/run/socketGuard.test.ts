import { execFile, execFileSync, fork, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup as lookupByCallback } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { createServer as createHttpServer, get } from 'node:http'
import { createConnection, createServer, Socket } from 'node:net'
import { connect } from 'node:tls'
import { expect, test } from '@jest/globals'
import { request } from 'undici'

const refusal = /A unit test called \w+\(\), which opens a socket.*\*\.integration\.test\.ts/

test.each<[string, () => unknown]>([
  ['a connection', () => createConnection(1)],
  ['a socket', () => new Socket().connect('/tmp/none.sock')],
  ['a TLS connection', () => connect({ port: 1 })],
  ['a server', () => createServer().listen(0)],
  ['an HTTP server', () => createHttpServer().listen(0)],
  ['an HTTP request', () => get('http://127.0.0.1:1')],
  ['a datagram', () => createSocket('udp4').send('x', 1, '127.0.0.1')],
  ['a bound datagram socket', () => createSocket('udp4').bind(0)],
  ['fetch', () => fetch('http://127.0.0.1:1')],
  ['undici', () => request('http://127.0.0.1:1')],
  ['a lookup', () => lookup('localhost')],
  ['a lookup with a callback', () => lookupByCallback('localhost', () => {})],
  ['a resolver', () => new Resolver().resolve4('localhost')],
  ['a process', () => spawn('true')],
  ['a file', () => execFile('true', () => {})],
  ['a fork', () => fork('none.js')],
  ['a process that is waited for', () => spawnSync('true')],
  ['a file that is waited for', () => execFileSync('true')],
])('%s is refused, and the message names the rule', async (_, open) => {
  await expect(async () => open()).rejects.toThrow(refusal)
})
