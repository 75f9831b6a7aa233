import { parseSync } from 'oxc-parser'

/** A name of the code, and the line that declares it. */
export interface Name {
  line: number
  name: string
}

/** The names that others read: of a source file, and of what it exports. */
export function namesOf(file: string, source: string): Name[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const names: Name[] = [{ line: 1, name: stemOf(file) }]
  const add = (node: { name: string; start: number }) =>
    names.push({ line: source.slice(0, node.start).split('\n').length, name: node.name })
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration } = statement
    if (declaration === null) continue
    if (declaration.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') add(id)
    } else if ('id' in declaration && declaration.id?.type === 'Identifier') add(declaration.id)
  }
  return names
}

const stemOf = (file: string): string => file.replace(/^.*\//, '').replace(/\..*$/, '')

/** `readURLOf` is read, url, of. */
export const partsOfName = (name: string): string[] =>
  [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase())
