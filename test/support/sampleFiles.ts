/** Files of each type that uploads take: as small as their format allows, or padded to a length. */

export const pngChunk = (name: string, data: Buffer): Buffer => {
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
  const start = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
  ])
  const end = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
  return Buffer.concat([
    start,
    pngChunk('IDAT', Buffer.alloc(bytes - start.length - end.length - 12, 7)),
    end,
  ])
}

/** @param extra segments before its frame */
export function jpeg(width = 10, height = 10, ...extra: Buffer[]): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 1, 2, 3, 4])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    comment,
    ...extra,
    frame,
    Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]),
  ])
}

/** A segment of a JPEG: 0xe1 and the following are of applications, 0xfe is a comment. */
export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A picture without alpha, as the extended form with its size and a lossless one with another size. */
export function webp(width = 10, height = 10, ofPicture: [number, number] = [width, height]): Buffer {
  const size = Buffer.alloc(10)
  size.writeUIntLE(width - 1, 4, 3)
  size.writeUIntLE(height - 1, 7, 3)
  const picture = Buffer.alloc(6, 7)
  picture[0] = 0x2f
  picture.writeUInt32LE(((ofPicture[0] - 1) & 0x3fff) + (((ofPicture[1] - 1) & 0x3fff) << 14), 1)
  return riff(riffChunk('VP8X', size), riffChunk('VP8L', picture))
}

export function riffChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

export function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return riffChunk('RIFF', body)
}

export const pdf = (): Buffer =>
  Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n')

/** A ZIP without files but with an entry of a directory: as programs find one. */
export function zip(comment = Buffer.alloc(0)): Buffer {
  const end = Buffer.alloc(18)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(60),
    Buffer.from('PK\x01\x02'),
    Buffer.alloc(42),
    Buffer.from('PK\x05\x06'),
    end,
    comment,
  ])
}
