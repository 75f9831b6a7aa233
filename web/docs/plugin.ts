import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import MiniSearch from 'minisearch'
import type { Plugin } from 'vite'
import { groups } from './pages.ts'
import { type Rendered, render } from './render.ts'

const root = join(import.meta.dirname, '../..')
const template = 'docs.html'

interface Guide extends Rendered {
  /** Of its source, from the root. */
  file: string
  /** Below `/docs`. */
  path: string
}

/** What the search shows. The client reads the same names (`web/src/docs/search.ts`). */
export interface Found {
  id: number
  title: string
  page: string
  path: string
  text: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Makes the pages of `/docs` with the dashboard's: a page for each guide, the first page, and the index of the search
 * over guides and operations. `docs.html` is their frame.
 */
export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const frame = bundle[template]
      if (frame?.type !== 'asset') throw new Error(`${template} is not among the pages`)
      const html = String(frame.source)
      delete bundle[template]
      const images = new Map<string, string>()
      const guides = guideFiles().map((file) => guideOf(file, images))
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName, source })
      const fill = (title: string, path: string, content: string) =>
        html
          .replace('<!--title-->', title === '' ? 'Cowry' : `${escaped(title)} · Cowry`)
          .replace('<!--navigation-->', () => navigation(guides, path))
          .replace('<!--content-->', () => content)
      emit('docs/index.html', fill('Docs', '', firstPage(guides)))
      for (const guide of guides) emit(`docs/${guide.path}.html`, fill(guide.title, guide.path, guide.html))
      for (const [file, name] of images) emit(`docs/${name}`, readFileSync(join(root, file)))
      emit('docs/search.json', JSON.stringify(searchIndex(guides)))
    },
  }
}

const guideFiles = (): string[] => [...globSync('docs/**/*.md', { cwd: root }).sort(), 'client/README.md']

const pathOf = (file: string): string =>
  file === 'client/README.md' ? 'client' : file.replace(/^docs\//, '').replace(/\.md$/, '')

function guideOf(file: string, images: Map<string, string>): Guide {
  const rendered = render(readFileSync(join(root, file), 'utf8'), (target) => {
    if (/^[a-z]+:/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const to = path === '' ? file : normalize(join(dirname(file), path))
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (to === 'README.md') return `/docs${hash === '' ? '' : '/getting-started'}`
    // Sources are not served.
    return isGuide(to) ? `/docs/${pathOf(to)}${hash}` : null
  })
  const html = rendered.html.replaceAll(/src="([^":]+)"/g, (_, source: string) => {
    const image = normalize(join(dirname(file), source))
    images.set(image, `pictures/${basename(image)}`)
    return `src="/docs/pictures/${basename(image)}"`
  })
  return { ...rendered, html, file, path: pathOf(file) }
}

const isGuide = (file: string) =>
  (file.startsWith('docs/') || file === 'client/README.md') &&
  file.endsWith('.md') &&
  existsSync(join(root, file))

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linkTo = ({ path, title }: Guide, current: string) =>
  `<li><a href="/docs/${path}"${path === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`

/** Each group with its guides: those of the list, the client, and the runbooks at the end. */
function grouped(guides: readonly Guide[]): { title: string; guides: Guide[] }[] {
  const named = (path: string) => {
    const guide = guides.find((each) => each.path === path)
    if (!guide) throw new Error(`docs/${path}.md is in the navigation, and does not exist`)
    return guide
  }
  const listed = groups.map(({ title, pages }) => ({
    title,
    guides: title === 'The API' ? [...pages.map(named), named('client')] : pages.map(named),
  }))
  const seen = new Set(listed.flatMap((group) => group.guides))
  const runbooks = guides.filter(({ path }) => path.startsWith('runbooks/'))
  const lost = guides.filter((guide) => !seen.has(guide) && !runbooks.includes(guide))
  if (lost.length > 0)
    throw new Error(`not in the navigation (web/docs/pages.ts): ${lost.map(({ file }) => file).join(', ')}`)
  return [...listed, { title: 'What to do when', guides: runbooks }]
}

const navigation = (guides: readonly Guide[], current: string): string =>
  [
    '<ul><li><a href="/docs/reference">Reference of the API</a></li></ul>',
    ...grouped(guides).map(({ title, guides: own }) => {
      const isOpen = own.some(({ path }) => path === current) || (current === '' && title === 'Start')
      return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${own
        .map((guide) => linkTo(guide, current))
        .join('')}</ul></details>`
    }),
  ].join('')

const firstPage = (guides: readonly Guide[]): string =>
  [
    '<h1>Docs</h1>',
    '<p>Guides for those who take payments with Cowry, and for those who run it. The <a href="/docs/reference">reference</a> has every operation with its fields and errors.</p>',
    ...grouped(guides).map(
      ({ title, guides: own }) =>
        `<h2>${title}</h2><ul class="guides">${own
          .map(
            ({ path, title: name, summary }) =>
              `<li><a href="/docs/${path}">${escaped(name)}</a> <span>${escaped(summary)}</span></li>`,
          )
          .join('')}</ul>`,
    ),
  ].join('\n')

/** The index that the pages are built with. */
export const docsIndex = (): MiniSearch<Found> =>
  searchIndex(guideFiles().map((file) => guideOf(file, new Map())))

function searchIndex(guides: readonly Guide[]): MiniSearch<Found> {
  const search = new MiniSearch<Found>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'path'],
  })
  const found: Omit<Found, 'id'>[] = guides.flatMap(({ title: page, path, sections }) =>
    sections.map(({ anchor, title, text }) => ({ title, page, path: `/docs/${path}#${anchor}`, text })),
  )
  search.addAll([...found, ...operations()].map((each, id) => ({ ...each, id })))
  return search
}

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  'x-audience'?: unknown
}

/** The operations of the contract, each where the reference has it. */
function operations(): Omit<Found, 'id'>[] {
  const document = JSON.parse(readFileSync(join(root, 'api/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation?.operationId || !isForPrograms(operation)) return []
      return [
        {
          title: `${method.toUpperCase()} ${path}`,
          page: operation.summary ?? '',
          path: `/docs/reference#operation/${operation.operationId}`,
          text: operation.description ?? '',
        },
      ]
    }),
  )
}

const isForPrograms = ({ 'x-audience': audience }: Operation) =>
  audience === undefined || (Array.isArray(audience) && audience.includes('programs'))
