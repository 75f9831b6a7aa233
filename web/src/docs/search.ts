import MiniSearch, { type SearchOptions } from 'minisearch'

export interface Hit {
  title: string
  page: string
  path: string
}

const maxHits = 12

/** What counts, and how much: a test finds the pages of symptoms with it. */
export const searchOptions: SearchOptions = {
  prefix: true,
  fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  boost: { title: 4, page: 2 },
  combineWith: 'AND',
}

/** Loads the index once, at the first search. */
export function loadSearch(url: string): (query: string) => Promise<Hit[]> {
  let loading: Promise<MiniSearch> | undefined
  const load = async (): Promise<MiniSearch> => {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`the index of the search was not loaded: ${answer.status}`)
    return MiniSearch.loadJSON(await answer.text(), {
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'path'],
    })
  }
  return async (query) => {
    loading ??= load().catch((error: unknown) => {
      // The next search tries again.
      loading = undefined
      throw error
    })
    const search = await loading
    const hits = search.search(query, searchOptions)
    return hits.slice(0, maxHits).map(({ title, page, path }) => ({ title, page, path }) as Hit)
  }
}
