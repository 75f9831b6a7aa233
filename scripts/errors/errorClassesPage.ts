import { markdownTable } from '../markdownTable.ts'
import { ancestry, type ErrorClass, errorClasses } from './errorClasses.ts'

/** docs/error-classes.md, from the sources. */
export function errorClassesPage(): string {
  const classes = errorClasses()
  const coded = classes.filter(({ name }) => !ancestry(name, classes).includes('ApiError'))
  const rows = coded.flatMap((each) =>
    each.code === null ? [] : [[`\`${each.code}\``, `\`${each.name}\``, retryOf(each, coded), each.comment]],
  )
  return `${[
    '# Classes of errors',
    '',
    '<!-- Made by `npm run generate` from the sources. -->',
    '',
    'Every error that Cowry throws on purpose extends `BaseError` (`src/platform/errors.ts`). It has a stable',
    '`code`, which log lines show, and two texts: `message` is for logs and operators, `publicText` may reach a',
    'caller. `retry` says if the same request may be sent again: `yes`, `no`, or `unknown` where it may have been',
    'carried out. The API answers with an `ApiError`, whose code is the `error` of [Errors](errors.md).',
    '',
    'Logs take an error apart in `src/platform/telemetry/log.ts` (`errorForLog`), and the API shows one in',
    '`api/middleware/errors.ts` (`errorBody`).',
    '',
    ...markdownTable(['code', 'class', 'retry', 'meaning'], rows.sort()),
  ].join('\n')}\n`
}

function retryOf({ retry, parent }: ErrorClass, classes: readonly ErrorClass[]): string {
  if (retry !== 'inherited') return retry
  const above = classes.find(({ name }) => name === parent)
  return above ? retryOf(above, classes) : 'by its reason'
}
