/** Strokes of 24 by 24, in the colour of the text around them. */
const paths = {
  home: 'M4 11 12 4l8 7M6 9.5V20h4.5v-5.5h3V20H18V9.5',
  payments: 'M3.5 6.5h17v11h-17zM3.5 10h17M7 14h4',
  payouts: 'M12 15V4M7.5 8.5 12 4l4.5 4.5M4 14v6h16v-6',
  collections: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 14v6h16v-6',
  money:
    'M4 6.5C4 5.1 7.6 4 12 4s8 1.1 8 2.5S16.4 9 12 9 4 7.9 4 6.5ZM4 6.5v11C4 18.9 7.6 20 12 20s8-1.1 8-2.5v-11M4 12c0 1.4 3.6 2.5 8 2.5s8-1.1 8-2.5',
  books:
    'M5 4.5h11.5a2.5 2.5 0 0 1 2.5 2.5v13H7.5A2.5 2.5 0 0 1 5 17.5zM5 17.5A2.5 2.5 0 0 1 7.5 15H19M9 8.5h6',
  developers: 'm8 7-5 5 5 5M16 7l5 5-5 5M13.5 4.5l-3 15',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  businesses: 'M4 20V8.5L12 4l8 4.5V20M3 20h18M9.5 20v-5h5v5M9 11h.01M15 11h.01',
  health: 'M3 12h4l2.5-6 4.5 12 2.5-6H21',
  audit: 'M6 3.5h9l4 4V20.5H6zM9.5 12h6M9.5 16h6M14.5 3.5V8H19',
  chevron: 'm7 10 5 5 5-5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
