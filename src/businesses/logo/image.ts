import { BaseError } from '../../platform/errors.ts'

/** Types of logos, by their content alone. */
export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

export const maxSide = 1024
/** Of an upload. */
export const maxBytes = 200 * 2 ** 10
/** Of what is stored: pixels that were packed very well before are packed a bit worse here. */
export const maxStoredBytes = 256 * 2 ** 10

/** Why an image is not taken, as the sentence "The logo …" ends. */
export class ImageError extends BaseError {
  readonly code = 'image_unusable'
  readonly retry = 'no'
}

export const broken = (): ImageError => new ImageError('is damaged or not complete')

/** @throws ImageError for a side of no pixel or of too many, before anything of that size is made */
export function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw broken()
  if (width > maxSide || height > maxSide)
    throw new ImageError(`has ${width} × ${height} pixels: a side may have ${maxSide} at most`)
}
