import { scaleBand, scaleLinear } from '@visx/scale'
import { dayTicks } from './dayTicks.ts'
import type { Day } from './types.ts'

const rootSize = 16
/** Sizes in `rem`, as the text has them. */
const sizes = { height: 11, top: 0.7, right: 1.3, character: 0.54, dayTick: 5 }
const gap = 0.25

/** Where the bars of the days are, in pixels, and what the axes name. Numbers are for the picture alone. */
export function dayPlot(days: readonly Day[], currency: string, width: number) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || rootSize
  const [height, top] = [sizes.height * rem, sizes.top * rem]
  const largest = Math.max(0, ...days.map(({ amount }) => Number(amount)))
  const y = scaleLinear<number>({ domain: [0, largest || 1], range: [height, top], nice: 4 })
  const amounts = largest > 0 ? y.ticks(4) : [0]
  const short = new Intl.NumberFormat(undefined, { notation: 'compact' })
  const inShort = (amount: number) => `${short.format(amount)}\u00a0${currency}`
  const left = (Math.max(...amounts.map((amount) => inShort(amount).length)) * sizes.character + 0.75) * rem
  const inner = Math.max(0, width - left - sizes.right * rem)
  const dates = days.map(({ date }) => date)
  const x = scaleBand({ domain: dates, range: [0, inner], paddingInner: gap, paddingOuter: gap / 2 })
  return {
    height,
    width,
    left,
    inner,
    x,
    y,
    amounts,
    inShort,
    dates: dayTicks(dates, Math.floor(inner / (sizes.dayTick * rem))),
    middle: (index: number) => (index + 0.5) * x.step(),
  }
}
