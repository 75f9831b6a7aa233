import { fits, type Part, skip, take, type Walk } from './walk.ts'

/** Decoding costs a pass over the picture for each scan; encoders make about ten. */
const maxScans = 100
const [endOfImage, startOfScan, numberOfLines] = [0xd9, 0xda, 0xdc]
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
/** Markers that a length follows; the others of one picture are its start, its end and restarts. */
const hasLength = (marker: number): boolean =>
  marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd9)

/**
 * The marker segments of a JPEG up to the end of its (first) image: ITU T.81, B.1 and B.2. A picture has one
 * frame.
 */
export function* walkJpeg(): Walk {
  yield* skip(2)
  let frames = 0
  let scans = 0
  let marker = yield* markerHere()
  while (marker !== endOfImage) {
    // A number of lines would replace the height of the frame.
    if (!hasLength(marker) || marker === numberOfLines) return false
    const length = (yield* take(2)).readUInt16BE(0)
    if (length < 2) return false
    if (isFrame(marker)) {
      if (++frames > 1 || length < 8) return false
      const header = yield* take(6)
      if (!fits(header.readUInt16BE(3), header.readUInt16BE(1))) return false
      yield* skip(length - 8)
    } else yield* skip(length - 2)
    if (marker === startOfScan && (frames === 0 || ++scans > maxScans)) return false
    marker = marker === startOfScan ? yield* markerAfterScan() : yield* markerHere()
  }
  return scans > 0
}

/** @returns the marker that starts here, after fill bytes; 0 if no marker does */
function* markerHere(): Part<number> {
  if ((yield* take(1))[0] !== 0xff) return 0
  return yield* code()
}

function* code(): Part<number> {
  for (;;) {
    const [byte = 0] = yield* take(1)
    if (byte !== 0xff) return byte
  }
}

/** Passes over the coded data of a scan: in it, 0xff is followed by 0 or the code of a restart. */
function* markerAfterScan(): Part<number> {
  for (;;) {
    yield { after: 0xff }
    const marker = yield* code()
    if (marker !== 0 && !isRestart(marker)) return marker
  }
}
