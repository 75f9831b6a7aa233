#!/usr/bin/env node
import { main } from './cli.ts'

// The command `cowry-webhooks` of the package; bin.mjs starts it in Cowry's own folder.

const stopping = new AbortController()
// The reader of its lines has gone.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
// A second signal ends it at once.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: stopping.signal,
})
