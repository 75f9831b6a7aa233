import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

const [typeA, typeAaaa] = [1, 28]

/**
 * A name server for DNS over UDP (RFC 1035): it answers questions about the addresses of known names, and
 * ignores all others. For a name with one family, it answers that there is no address of the other.
 */
export interface NameServer {
  /** In the form of `dns.setServers`. */
  address: string
  /** Its queries, as `A name` and `AAAA name`. */
  asked: string[]
  /** Answers the ignored questions, which stops retries. */
  close(): Promise<void>
}

/** @param silent questions that are dropped, as `AAAA name` */
export async function startNameServer(
  known: Readonly<Record<string, readonly string[]>>,
  silent: readonly string[] = [],
): Promise<NameServer> {
  const asked: string[] = []
  const dropped: (() => Promise<void>)[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, end } = nameIn(question)
    const isA = question.readUInt16BE(end) === typeA
    const asking = `${isA ? 'A' : 'AAAA'} ${name}`
    asked.push(asking)
    const address = known[name]?.find((each) => isIPv4(each) === isA)
    const answer = (given: string | undefined) =>
      new Promise<void>((sent) =>
        socket.send(answerTo(question.subarray(0, end + 4), given), from.port, from.address, () => sent()),
      )
    if (known[name] && !silent.includes(asking)) answer(address)
    else dropped.push(() => answer(undefined))
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      await Promise.all(dropped.map((answer) => answer()))
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Twelve bytes of header, then labels, each after its length. */
function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** The question again, with one record where there is an address. */
function answerTo(question: Buffer, address: string | undefined): Buffer {
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8180, 2)
  answer.writeUInt16BE(address === undefined ? 0 : 1, 6)
  answer.writeUInt32BE(0, 8)
  if (address === undefined) return answer
  const bytes = ipaddr.parse(address).toByteArray()
  // A pointer to the name in the question, its type, IN, 60 seconds, the length.
  return Buffer.concat([
    answer,
    Buffer.from([
      0xc0,
      12,
      0,
      isIPv4(address) ? typeA : typeAaaa,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      bytes.length,
      ...bytes,
    ]),
  ])
}
