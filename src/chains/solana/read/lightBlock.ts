import type { Block, BlockHeader, WatchFlags } from '../../chain.ts'
import { touchedWidth } from './scanBlock.ts'

const words = touchedWidth / 4

/**
 * A block of which only the addresses touched are known.
 * @param touched as `scanBlock` returns them; they become text only where text is read
 * @param whole the block, where its answer was whole
 */
export function lightBlock(
  header: BlockHeader,
  touched: Uint8Array,
  source: string,
  whole?: () => Block,
): Block {
  let unread: string[] | null = null
  return {
    ...header,
    transfers: [],
    source,
    traced: true,
    ...(whole && { whole }),
    packed: { matching: () => [], touches: (watches) => isAnyWatched(touched, watches) },
    get unread() {
      unread ??= textsOf(touched)
      return unread
    },
  }
}

/** One array for all addresses: a view of each takes longer than its search in the table. */
function isAnyWatched(touched: Uint8Array, watches: WatchFlags): boolean {
  const all = new Uint32Array(touched.buffer, touched.byteOffset, touched.length / 4)
  for (let at = 0; at < all.length; at += words) if (watches.flagsAt(all, at) !== 0) return true
  return false
}

function textsOf(touched: Uint8Array): string[] {
  const all = Buffer.from(touched.buffer, touched.byteOffset, touched.length)
  return Array.from({ length: touched.length / touchedWidth }, (_, index) => {
    const end = (index + 1) * touchedWidth
    let last = end
    while (all[last - 1] === 0) last--
    return all.toString('latin1', end - touchedWidth, last)
  })
}
