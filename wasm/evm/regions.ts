/**
 * Where the module keeps what: the text, and then regions that are each as long as the text, which no answer
 * can fill. A log takes 170 letters at least and a receipt 900, of which a region gets fewer bytes.
 */

/** Zero bytes after the text, which end every walk of it. */
export const padding: usize = 64

function align(at: usize): usize {
  return (at + 63) & ~(63 as usize)
}

export function textAt(): usize {
  return align(__heap_base)
}

export const regions: usize = 5

/** @param text the length of the text @param index from 0 to `regions` - 1 */
export function regionAt(text: usize, index: usize): usize {
  return align(textAt() + text + padding) + index * regionSize(text)
}

function regionSize(text: usize): usize {
  return align(text + 16384)
}

/** Bytes of memory that a text of this length needs. */
export function roomFor(text: usize): usize {
  return regionAt(text, regions)
}
