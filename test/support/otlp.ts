import { createServer } from 'node:http'
import { listen } from '../../src/platform/http/http.ts'
import { waitFor } from './waitFor.ts'

/** A span as a collector got it. */
export interface ReceivedSpan {
  service: string
  traceId: string
  spanId: string
  /** Empty: a root. */
  parentId: string
  name: string
  /** As in the protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, string | number | boolean>
  links: { traceId: string; spanId: string }[]
  isError: boolean
}

/**
 * A collector of OTLP over http/protobuf. It reads the wire format by itself and shares no code with the
 * exporter.
 */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  spans: ReceivedSpan[]
  /** All bodies as they came, one character per byte: for searches for secrets. Waits until no more comes. */
  text(): Promise<string>
  close(): Promise<void>
}

/** Settings of a process whose every span reaches a collector soon. */
export const tracingEnv = ({ url }: Pick<Collector, 'url'>): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_BSP_MAX_QUEUE_SIZE: '100000',
  TRACE_STATEMENT_MS: '1',
})

/** Longer than spans wait in a process that `tracingEnv` sets up. */
const quietMs = 300
/** Processes that go on working never fall silent. */
const maxQuietMs = 3000

export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = []
  let lastAt = 0
  const spans: ReceivedSpan[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isTraces =
        request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf'
      const body = Buffer.concat(chunks)
      if (isTraces) {
        bodies.push(body)
        lastAt = Date.now()
        spans.push(...readExport(body))
      }
      response.writeHead(isTraces ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async text() {
      const asked = Date.now()
      const isQuiet = async () =>
        Date.now() - Math.max(lastAt, asked) > quietMs || Date.now() - asked > maxQuietMs
      await waitFor('spans under way', isQuiet)
      return Buffer.concat(bodies).toString('latin1')
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Value = bigint | Buffer
type Message = Map<number, Value[]>

/**
 * Fields of a message of Protocol Buffers: varints and fixed numbers as bigints, all others as bytes.
 */
function readMessage(bytes: Buffer): Message {
  const fields: Message = new Map()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a message ends within a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a message ends within a field')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const [field, type] = [Number(tag >> 3n), Number(tag & 7n)]
    const known = fields.get(field) ?? []
    if (type === 0) known.push(varint())
    else if (type === 1) known.push(take(8).readBigUInt64LE())
    else if (type === 2) known.push(take(Number(varint())))
    else if (type === 5) known.push(BigInt(take(4).readUInt32LE()))
    else throw new Error(`no field has type ${type}`)
    fields.set(field, known)
  }
  return fields
}

const messages = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((each) => readMessage(each as Buffer))
const bytesOf = (message: Message, field: number): Buffer =>
  (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
const numberOf = (message: Message, field: number): bigint =>
  (message.get(field)?.[0] as bigint | undefined) ?? 0n
const hexOf = (message: Message, field: number): string => bytesOf(message, field).toString('hex')

/** `AnyValue`, without lists. */
function anyValue(message: Message): string | number | boolean {
  if (message.has(2)) return numberOf(message, 2) === 1n
  if (message.has(3)) return Number(BigInt.asIntN(64, numberOf(message, 3)))
  if (message.has(4)) {
    const bits = Buffer.alloc(8)
    bits.writeBigUInt64LE(numberOf(message, 4))
    return bits.readDoubleLE()
  }
  return bytesOf(message, 1).toString()
}

const attributesOf = (message: Message, field: number): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    messages(message, field).map((each) => [
      bytesOf(each, 1).toString(),
      anyValue(messages(each, 2)[0] ?? new Map()),
    ]),
  )

/** `ExportTraceServiceRequest` of opentelemetry-proto 1.7. */
function readExport(body: Buffer): ReceivedSpan[] {
  return messages(readMessage(body), 1).flatMap((ofResource) => {
    const [resource = new Map()] = messages(ofResource, 1)
    const service = String(attributesOf(resource, 1)['service.name'])
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => readSpan(service, span)),
    )
  })
}

function readSpan(service: string, span: Message): ReceivedSpan {
  const [status = new Map()] = messages(span, 15)
  return {
    service,
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    name: bytesOf(span, 5).toString(),
    kind: Number(numberOf(span, 6)),
    startMs: Number(numberOf(span, 7) / 1000n) / 1000,
    endMs: Number(numberOf(span, 8) / 1000n) / 1000,
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((each) => ({ traceId: hexOf(each, 1), spanId: hexOf(each, 2) })),
    isError: numberOf(status, 3) === 2n,
  }
}

/** A trace as a tree, in the order of its starts; equal neighbours are one line. */
export function printTrace(spans: readonly ReceivedSpan[], rootId: string): string {
  const lines: string[] = []
  const print = (parentId: string, depth: number) => {
    const children = spans.filter((each) => each.parentId === parentId).sort((a, b) => a.startMs - b.startMs)
    const shown = new Set<string>()
    for (const child of children) {
      const label = `${'  '.repeat(depth)}${child.name} (${child.service.replace('cowry-', '')})`
      const isLeaf = !spans.some((each) => each.parentId === child.spanId)
      if (isLeaf && shown.has(label)) continue
      shown.add(label)
      lines.push(label)
      print(child.spanId, depth + 1)
    }
  }
  print(rootId, 0)
  return lines.join('\n')
}
