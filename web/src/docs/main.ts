import { type Hit, loadSearch } from './search.ts'

const input = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLOListElement>('#found')
const state = document.querySelector<HTMLParagraphElement>('#found-state')
const search = loadSearch('/docs/search.json')
/** The last query: answers of earlier ones that come late are not shown. */
let last = ''

function show(hits: readonly Hit[]): void {
  list?.replaceChildren(
    ...hits.map(({ title, page, path }) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = path
      link.textContent = title
      const of = document.createElement('span')
      of.textContent = page === title ? '' : page
      item.append(link, of)
      return item
    }),
  )
  if (list) list.hidden = hits.length === 0
}

async function onInput(): Promise<void> {
  const query = input?.value.trim() ?? ''
  last = query
  if (query.length < 2) {
    show([])
    if (state) state.textContent = ''
    return
  }
  try {
    const hits = await search(query)
    if (query !== last) return
    show(hits)
    if (state) state.textContent = hits.length === 0 ? 'Nothing found' : `${hits.length} found`
  } catch {
    if (state) state.textContent = 'The search is not available now'
  }
}

input?.addEventListener('input', () => void onInput())
document.addEventListener('keydown', (event) => {
  const links = [...(list?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === '/' && document.activeElement === document.body) {
    event.preventDefault()
    input?.focus()
  } else if (event.key === 'Escape' && input) {
    input.value = ''
    void onInput()
  } else if (event.key === 'ArrowDown' && links.length > 0 && (at >= 0 || document.activeElement === input)) {
    event.preventDefault()
    links[Math.min(at + 1, links.length - 1)]?.focus()
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault()
    if (at === 0) input?.focus()
    else links[at - 1]?.focus()
  }
})

// On a phone the list of guides is closed until it is wanted.
if (window.matchMedia('(max-width: 60rem)').matches)
  document.querySelector('.docs-menu')?.removeAttribute('open')

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
      button.textContent = 'Copied'
    })
  })
  const around = document.createElement('div')
  around.className = 'code'
  block.replaceWith(around)
  around.append(block, button)
}
