/**
 * Gives the memory of bytes back now, not when the garbage collector finds it. A buffer's memory is outside
 * of the heap, and each 64 MB of it make the collector mark the whole heap. Afterwards these bytes are gone
 * for every view of them. Part of a buffer is left to the collector: the rest may be in use.
 */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length) buffer.transfer(0)
}
