import { AxisBottom, AxisLeft, type TickRendererProps } from '@visx/axis'
import { GridRows } from '@visx/grid'
import type { dayPlot } from './dayPlot.ts'
import { dayText } from './dayText.ts'
import type { Day } from './types.ts'

interface Props {
  days: readonly Day[]
  plot: ReturnType<typeof dayPlot>
  label: string
  /** The day whose amounts are shown. */
  chosen: number | undefined
}

const axisHeight = 28
/** So that the bar of a day with a small amount is seen. */
const minHeight = 2

/** The picture. Its colours are those of the page, by classes: no code knows of light or dark. */
export function DayBars({ days, plot, label, chosen }: Props) {
  const { x, y, left, height, inner, width, amounts, dates, inShort } = plot
  return (
    <svg width={width} height={height + axisHeight} role="img" aria-label={label}>
      <g transform={`translate(${left} 0)`}>
        <GridRows className="chart-lines" scale={y} width={inner} tickValues={amounts} stroke="" />
        {days.map(({ date, amount }, index) => {
          const tall = Math.max(Number(amount) > 0 ? minHeight : 0, height - (y(Number(amount)) ?? height))
          return (
            <g key={date} className={index === chosen ? 'chart-day chosen' : 'chart-day'}>
              <rect className="chart-slot" x={index * x.step()} width={x.step()} height={height} />
              <rect className="chart-bar" x={x(date)} y={height - tall} width={x.bandwidth()} height={tall} />
            </g>
          )
        })}
        <AxisLeft
          scale={y}
          tickValues={amounts}
          tickFormat={(amount) => inShort(Number(amount))}
          tickComponent={AmountTick}
          hideAxisLine
          hideTicks
        />
        <AxisBottom
          scale={x}
          top={height}
          tickValues={dates}
          tickFormat={(date) => dayText(date)}
          tickComponent={DateTick}
          hideAxisLine
          hideTicks
        />
      </g>
    </svg>
  )
}

const AmountTick = ({ x, y, formattedValue }: TickRendererProps) => (
  <text className="chart-tick" x={x} y={y} dy="0.32em" textAnchor="end">
    {formattedValue}
  </text>
)

const DateTick = ({ x, y, formattedValue }: TickRendererProps) => (
  <text className="chart-tick" x={x} y={y} dy="0.6em" textAnchor="middle">
    {formattedValue}
  </text>
)
