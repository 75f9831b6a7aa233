import { Fragment } from 'react'

/** A text that breaks at `breaks`, and inside a word only if the line is too narrow. */
export function Parts({ of, breaks, className }: { of: string; breaks: RegExp; className: string }) {
  return (
    <span className={className}>
      {of.split(breaks).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
