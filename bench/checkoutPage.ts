import type { Browser, CDPSession } from 'playwright-core'
import { buildDashboard } from '../scripts/local/buildDashboard.ts'
import { startChromium } from '../test/support/chromium.ts'
import { createStack } from '../test/support/stack.ts'
import { interleave, ratio, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'checkout-page'
const [rounds, warmUp] = [7, 1]
const aimMs = 2000

/** A phone of a few years ago on a slow network. */
const slow = { cpu: 4, bytesPerSecond: 400_000, latencyMs: 100 }
const fast = { cpu: 1, bytesPerSecond: -1, latencyMs: 0 }

/** Opening a session's checkout page with an empty cache, until it can be used. */
export async function benchCheckoutPage(scope: Scope): Promise<Report> {
  await buildDashboard()
  const stack = scope.keep(await createStack({ chains: ['ethereum'], env: asInProduction() }), (opened) =>
    opened.close(),
  )
  const chromium = scope.keep(await startChromium(), (opened) => opened.close())
  const session = await stack.createSession({ amount: '12.5', label: 'Table 4', expirySeconds: 86_400 })
  const origin = `http://127.0.0.1:${stack.processes.get('api')?.port()}`
  const url = `${origin}${new URL(String(session.checkoutUrl)).pathname}`
  let bytes = 0
  const series = await interleave(bench, { rounds, warmUp }, async () => {
    const quick = await open(chromium, url, fast)
    const phone = await open(chromium, url, slow)
    bytes = phone.bytes
    return { fast: quick.ms, slow: phone.ms }
  })
  const times = spread(series.slow)
  return {
    figures: [
      figure(bench, 'checkout page usable, this machine', spread(series.fast), 'ms', { ratio: 1 }),
      figure(bench, 'checkout page usable, slow phone', times, 'ms', {
        extra: `${Math.round(bytes / 1000)} kB`,
        ratio: ratio(series.slow, series.fast),
        aim: `within ${aimMs} ms`,
        met: times.median <= aimMs,
      }),
    ],
    notes: [
      `checkout-page: from the request for the page, with an empty cache, until amount, address and QR code are shown and the copy button can be pressed. A slow phone has ${slow.cpu}× less CPU, ${slow.bytesPerSecond / 1000} kB/s and ${slow.latencyMs} ms latency, by Chromium's own throttling, which makes other load on the machine ${slow.cpu} times as slow as well. ${rounds} rounds.`,
    ],
  }
}

/** By the clock of the page. */
async function open(
  chromium: Browser,
  url: string,
  { cpu, bytesPerSecond, latencyMs }: typeof slow,
): Promise<{ ms: number; bytes: number }> {
  const context = await chromium.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const devtools: CDPSession = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.addInitScript(usable)
    await page.goto(url)
    const ms = await page.evaluate<number>('window.usableAt')
    return { ms, bytes }
  } finally {
    await context.close()
  }
}

/** Two frames after all is there: the browser has shown it, and takes a press. */
const usable = `
  window.usableAt = new Promise((resolve) => {
    const is = () => document.querySelector('.figure') && document.querySelector('svg.qr path') &&
      document.querySelector('.copyable button')
    const check = () => {
      if (!is()) return
      observer.disconnect()
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
    }
    const observer = new MutationObserver(check)
    observer.observe(document, { subtree: true, childList: true })
  })`
