import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const encodings = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
}
type Encoding = keyof typeof encodings

/**
 * Serves scripts and styles compressed, to who takes that: on a slow network they are most of the time until
 * a page can be used. Each is compressed once, in a thread, at its first request; all of them take less than a
 * megabyte. They are the same for everyone and hold no secret, so that their length tells nothing (BREACH).
 */
export function compressedAssets(folder: string, cacheControl: string): RequestHandler {
  const files = new Set(
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => types[extname(name)] !== undefined),
  )
  const compressed = new Map<string, Promise<Buffer>>()
  const compress = (name: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`
    const known = compressed.get(key)
    if (known) return known
    const made = encodings[encoding](readFileSync(join(folder, name)))
    compressed.set(key, made)
    return made
  }
  return async (request, response, next) => {
    const name = request.path.slice(1)
    if (!files.has(name) || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
    response.vary('Accept-Encoding')
    const encoding = request.acceptsEncodings('br', 'gzip')
    if (encoding !== 'br' && encoding !== 'gzip') return next()
    const body = await compress(name, encoding)
    response.set({
      'Cache-Control': cacheControl,
      'Content-Encoding': encoding,
      'Content-Type': types[extname(name)],
    })
    response.send(body)
  }
}
