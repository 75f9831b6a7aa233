import { open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '../src/platform/http/http.ts'

// Lower bound for an upload: a server that writes the body of a request to a file as it arrives, and syncs
// it. It has no form, credentials, limits, checks, sealing or rows.

process.on('disconnect', () => process.exit())

const folder = process.env.FOLDER ?? ''
let files = 0

const server = createServer(async (request, response) => {
  const path = join(folder, `bare-${files++}`)
  const file = await open(path, 'wx')
  for await (const piece of request) await file.write(piece)
  await file.sync()
  await file.close()
  response.end('{}')
  // As the product's files, which its bench drops after each round: the disk keeps little of them.
  await rm(path, { force: true })
})

process.on('message', () => void process.send?.({ cpu: process.cpuUsage() }))
process.send?.({ port: await listen(server, 0, '127.0.0.1') })
