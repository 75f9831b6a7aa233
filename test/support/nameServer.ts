import { createSocket } from 'node:dgram'

/** A name server that speaks DNS over UDP (RFC 1035): it answers A questions about the names that it knows, and is silent about all others. */
export interface NameServer {
  /** As `dns.setServers` takes it. */
  address: string
  /** Questions that were asked, by name. */
  asked: string[]
  close(): Promise<void>
}

export async function startNameServer(known: Readonly<Record<string, string>>): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, end } = nameIn(question)
    asked.push(name)
    const address = known[name]
    if (address) socket.send(answerTo(question.subarray(0, end + 4), address), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
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

/** The question again, with one record where an A was asked for, and none otherwise. */
function answerTo(question: Buffer, address: string): Buffer {
  const asksForA = question.readUInt16BE(question.length - 4) === 1
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8180, 2)
  answer.writeUInt16BE(asksForA ? 1 : 0, 6)
  answer.writeUInt32BE(0, 8)
  // A pointer to the name in the question, A, IN, 60 seconds, four bytes.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  return asksForA ? Buffer.concat([answer, record]) : answer
}
