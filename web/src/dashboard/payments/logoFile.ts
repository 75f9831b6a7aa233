/** Of the API. */
const maxBytes = 200 * 1024
const maxSide = 1024
/** Of a logo that has to be made smaller: enough for the largest place that shows one. */
const smallerSide = 512

/** A file in base64, made smaller where it is larger than a logo may be. */
export async function logoFile(file: Blob): Promise<string> {
  return base64Of(await fitting(file))
}

async function fitting(file: Blob): Promise<Blob> {
  // What is no image for the browser is refused by the API, in words.
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return file.size <= maxBytes ? file : file.slice(0, maxBytes)
  const { width, height } = picture
  if (file.size <= maxBytes && Math.max(width, height) <= maxSide) return file
  const scale = Math.min(1, smallerSide / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const png = await written(canvas, 'image/png')
  return png.size <= maxBytes ? png : written(canvas, 'image/webp')
}

const written = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), type, 0.9),
  )

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(blob)
  })
