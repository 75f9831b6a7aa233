import { type UseParentSizeConfig, useParentSize } from '@visx/responsive'
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { moneyText } from '../../ui/Money.tsx'
import { DayBars } from './DayBars.tsx'
import { DayTip } from './DayTip.tsx'
import { dayPlot } from './dayPlot.ts'
import { dayText, wholeDayText } from './dayText.ts'
import { paymentsText, tokensText } from './texts.ts'
import type { Day } from './types.ts'

interface Props {
  days: readonly Day[]
  currency: string
}

// Thirty bars are drawn at once: nothing is gained by waiting until a window has its size.
const widthAlone: UseParentSizeConfig = { ignoreDimensions: ['height', 'top', 'left'], debounceTime: 0 }

/**
 * A bar for each day, by visx: a picture with a text of its own for screen readers, next to a table with each
 * number. Over it lies a range field without a look, by which arrow keys, a finger or a screen reader go from
 * day to day; the mouse only has to point.
 */
export function DayChart({ days, currency }: Props) {
  const { parentRef, width } = useParentSize(widthAlone)
  const [index, setIndex] = useState(days.length - 1)
  const [isTipOpen, setTipOpen] = useState(false)
  const day = days[index]
  const plot = dayPlot(days, currency, width)
  if (!day) return null
  function point({ pointerType, clientX, currentTarget }: PointerEvent): void {
    if (pointerType !== 'mouse') return
    const { left } = currentTarget.getBoundingClientRect()
    setIndex(Math.min(days.length - 1, Math.max(0, Math.floor((clientX - left) / plot.x.step()))))
    setTipOpen(true)
  }
  return (
    <figure
      className="chart"
      ref={parentRef}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setTipOpen(false)}
    >
      {width > 0 && (
        <>
          <DayBars
            days={days}
            plot={plot}
            label={summary(days, currency)}
            chosen={isTipOpen ? index : undefined}
          />
          <input
            type="range"
            className="chart-pick"
            style={pickStyle(plot)}
            min={0}
            max={days.length - 1}
            value={index}
            aria-label="Day of the chart"
            aria-valuetext={`${wholeDayText(day.date)}: ${moneyText(day.amount, currency)}, ${[paymentsText(day.payments), ...tokensText(day)].join(', ')}`}
            onChange={({ target }) => {
              setIndex(Number(target.value))
              setTipOpen(true)
            }}
            onFocus={() => setTipOpen(true)}
            onBlur={() => setTipOpen(false)}
            onPointerDown={() => setTipOpen(true)}
            onPointerMove={point}
            onKeyDown={({ key }) => key === 'Escape' && setTipOpen(false)}
          />
          {isTipOpen && (
            <DayTip day={day} currency={currency} at={plot.left + plot.middle(index)} width={width} />
          )}
        </>
      )}
    </figure>
  )
}

/** Its thumb is as wide as the place of a day, so that each day has its own values. */
const pickStyle = ({ left, inner, height, x }: ReturnType<typeof dayPlot>): CSSProperties =>
  ({ left, width: inner, height, '--slot': `${x.step()}px` }) as CSSProperties

function summary(days: readonly Day[], currency: string): string {
  const amounts = days.map(({ amount }) => Number(amount))
  const best = days[amounts.indexOf(Math.max(...amounts))]
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last || !best) return ''
  return `Bars of the days from ${dayText(first.date)} to ${dayText(last.date)}. The most was taken on ${dayText(best.date)}: ${moneyText(best.amount, currency)}.`
}
