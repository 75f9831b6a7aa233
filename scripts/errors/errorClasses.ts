import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Class, parseSync, Visitor } from 'oxc-parser'

export interface ErrorClass {
  name: string
  parent: string
  file: string
  /** Null where it has none of its own. */
  code: string | null
  /** As the class states it. */
  retry: string
  /** Its comment, in one line. */
  comment: string
}

const root = join(import.meta.dirname, '../..')
const folders = ['api', 'commands', 'cowry', 'indexers', 'migrations', 'queues', 'src', 'treasury']
const isError = (parent: string) => /Error$/.test(parent)

/** The classes of all processes that extend an error, by name. */
export function errorClasses(): ErrorClass[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => errorClassesIn(file, readFileSync(join(root, file), 'utf8')))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function errorClassesIn(file: string, source: string): ErrorClass[] {
  if (!/\bclass\b[^{]*\bextends\b/.test(source)) return []
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: ErrorClass[] = []
  const take = (node: Class) => {
    const parent = node.superClass?.type === 'Identifier' ? node.superClass.name : ''
    if (!isError(parent)) return
    const before = comments.findLast(({ end }) => end <= node.start)
    const isNext =
      before !== undefined && /^\s*(export\s+(abstract\s+)?)?$/.test(source.slice(before.end, node.start))
    found.push({
      name: node.id?.name ?? 'a class without a name',
      parent,
      file,
      code: literalOf(node, 'code'),
      retry: literalOf(node, 'retry') ?? (declares(node, 'retry') ? 'by its reason' : 'inherited'),
      comment: isNext
        ? before.value
            .replace(/^\s*\*+/gm, '')
            .replace(/\s+/g, ' ')
            .trim()
        : '',
    })
  }
  new Visitor({ ClassDeclaration: take, ClassExpression: take }).visit(program)
  return found
}

const declares = ({ body }: Class, property: string): boolean =>
  body.body.some(
    (each) =>
      each.type === 'PropertyDefinition' && each.key.type === 'Identifier' && each.key.name === property,
  )

function literalOf({ body }: Class, property: string): string | null {
  for (const each of body.body) {
    if (each.type !== 'PropertyDefinition' || each.key.type !== 'Identifier') continue
    if (each.key.name !== property || each.value?.type !== 'Literal') continue
    if (typeof each.value.value === 'string') return each.value.value
  }
  return null
}

/** From a class to the last known one above it. */
export function ancestry(name: string, classes: readonly ErrorClass[]): string[] {
  const found = classes.find((each) => each.name === name)
  return found === undefined ? [name] : [name, ...ancestry(found.parent, classes)]
}
