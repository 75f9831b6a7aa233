import { startZeroX } from '../test/partners/zerox.ts'

// 0x's stand-in, in a process of its own. Every token has 6 decimals and is worth a dollar.

process.on('disconnect', () => process.exit())

const standIn = await startZeroX({
  apiKey: process.env.SWAP_KEY ?? '',
  assetOf: () => ({ decimals: 6, cents: 100n }),
})
process.on('message', ({ delayMs }: { delayMs: number }) => {
  standIn.delayMs = delayMs
  // Its requests are of no interest here.
  standIn.asked.length = 0
  process.send?.({ cpu: process.cpuUsage() })
})
process.send?.({ url: standIn.url })
