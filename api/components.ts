type Components = Record<string, Record<string, object>>

/** The components that a part of a document refers to, through others too, in their order; and credentials. */
export function reachedComponents<All extends Components>(components: All, part: unknown): All {
  const reached = new Set<string>()
  const reach = (node: unknown): void => {
    if (typeof node === 'string') {
      if (!node.startsWith('#/components/') || reached.has(node)) return
      reached.add(node)
      const [, , kind = '', name = ''] = node.split('/')
      reach(components[kind]?.[name])
    } else if (Array.isArray(node)) node.forEach(reach)
    else if (typeof node === 'object' && node !== null) Object.values(node).forEach(reach)
  }
  reach(part)
  const kinds = Object.entries(components).map(([kind, entries]) => [
    kind,
    Object.fromEntries(
      Object.entries(entries).filter(
        ([name]) => kind === 'securitySchemes' || reached.has(`#/components/${kind}/${name}`),
      ),
    ),
  ])
  return Object.fromEntries(kinds) as All
}
