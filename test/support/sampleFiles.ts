/** Files of each type that uploads take: as small as their format allows, or padded to a length. */

const chunk = (name: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
}

/** @param bytes its whole length */
export function png(bytes = 100, width = 10, height = 10): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const start = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header)])
  const end = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
  return Buffer.concat([start, chunk('IDAT', Buffer.alloc(bytes - start.length - end.length - 12, 7)), end])
}

export function jpeg(width = 10, height = 10): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 1, 2, 3, 4])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), comment, frame, Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9])])
}

export function webp(width = 10, height = 10): Buffer {
  const body = Buffer.alloc(22)
  body.write('VP8X', 0)
  body.writeUInt32LE(10, 4)
  body.writeUIntLE(width - 1, 12, 3)
  body.writeUIntLE(height - 1, 15, 3)
  const head = Buffer.alloc(12)
  head.write('RIFF', 0)
  head.writeUInt32LE(body.length + 4, 4)
  head.write('WEBP', 8)
  return Buffer.concat([head, body])
}

export const pdf = (): Buffer => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
