import { cleanJpeg } from './cleanJpeg.ts'
import { cleanPng, pngStart } from './cleanPng.ts'
import { cleanWebp } from './cleanWebp.ts'
import { ImageError, type LogoType, maxBytes, maxStoredBytes } from './image.ts'

/**
 * An image as it may be shown to strangers: of the type that its content has, of a size that no browser has
 * trouble with, without metadata, and without a byte that is not of the picture, so that it is no other file
 * as well. SVG is not taken: it is a program.
 * @throws ImageError
 */
export async function cleanImage(file: Buffer): Promise<{ type: LogoType; image: Buffer }> {
  if (file.length > maxBytes) throw tooLarge()
  const cleaned = await byType(file)
  if (cleaned.image.length > maxStoredBytes) throw tooLarge()
  return cleaned
}

const tooLarge = () => new ImageError(`is too large: it may have ${maxBytes / 2 ** 10} kB`)

async function byType(file: Buffer): Promise<{ type: LogoType; image: Buffer }> {
  if (file.subarray(0, pngStart.length).equals(pngStart))
    return { type: 'image/png', image: await cleanPng(file) }
  if (file.length > 4 && file.readUIntBE(0, 3) === 0xffd8ff)
    return { type: 'image/jpeg', image: cleanJpeg(file) }
  const start = file.toString('latin1', 0, 12)
  if (start.startsWith('RIFF') && start.endsWith('WEBP') && start.length === 12)
    return { type: 'image/webp', image: cleanWebp(file) }
  throw new ImageError('is not a PNG, JPEG or WebP')
}
