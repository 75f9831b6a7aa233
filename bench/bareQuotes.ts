import { createServer } from 'node:http'
import express from 'express'
import { Pool } from 'undici'
import { listen } from '../src/platform/http/http.ts'

// Lower bound for a quote of a swap: an express route that sends the request on to the provider and returns
// its answer. It has no credentials, limits, pace or checks.

process.on('disconnect', () => process.exit())

const provider = new Pool(process.env.SWAP_URL ?? '', { connections: 64 })
const headers = { '0x-api-key': process.env.SWAP_KEY ?? '', '0x-version': 'v2', accept: 'application/json' }

const app = express()
app.disable('x-powered-by').set('etag', false)
app.use(express.json())
app.post('/quote', async (request, response) => {
  const query = new URLSearchParams(request.body as Record<string, string>)
  const answer = await provider.request({
    path: `/swap/allowance-holder/price?${query}`,
    method: 'GET',
    headers,
  })
  response.status(answer.statusCode).json(await answer.body.json())
})

process.on('message', () => void process.send?.({ cpu: process.cpuUsage() }))
process.send?.({ port: await listen(createServer(app), 0, '127.0.0.1') })
