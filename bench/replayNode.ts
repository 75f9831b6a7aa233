import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'
import { listen } from '../src/platform/http.ts'
import { envelope, headerAt, type RecordedAnswer, recordedAnswers } from './recordedChain.ts'

// A node that answers recorded blocks, in a thread of its own. All answers are made before they are asked for.

export interface Stretch {
  first: number
  count: number
}

const answers = new Map<number, RecordedAnswer>()
let head = 0

function result(method: string, params: unknown[]): Buffer {
  const [at, full] = params as [string, boolean]
  const height = at === 'latest' ? head : Number(at)
  if (method === 'eth_getBlockByNumber' && !full) return Buffer.from(JSON.stringify(headerAt(height)))
  const answer = height <= head ? answers.get(height) : undefined
  if (method === 'eth_getBlockByNumber') return answer?.block ?? Buffer.from('null')
  if (method === 'eth_getBlockReceipts') return answer?.receipts ?? Buffer.from('null')
  throw new Error(`a replay does not know ${method}`)
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = JSON.parse(await text(request)) as { id: number; method: string; params: unknown[] }
  const parts = envelope(id, result(method, params))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': parts.reduce((sum, part) => sum + part.length, 0) })
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
})
const port = await listen(server, 0, '127.0.0.1')

parentPort?.on('message', ({ first, count }: Stretch) => {
  answers.clear()
  for (const answer of recordedAnswers(first, count)) answers.set(answer.height, answer)
  head = first + count - 1
  parentPort?.postMessage({ ready: true })
})
parentPort?.postMessage({ port })
