import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../web/src/dashboard')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))

interface Found {
  route: string
  redirects: boolean
}

/** The routes in the router's source. An area (`/platform/*`) holds pages and is not a page. */
const found: Found[] = sources
  .flatMap((source) => [...source.matchAll(/<Route\s+path="([^"]+)"[^>]*>(\s*<Redirect)?/g)])
  .map(([, route = '', redirect]) => ({ route, redirects: redirect !== undefined }))
  .filter(({ route }) => !route.includes('*'))

export const pages: string[] = found.filter(({ redirects }) => !redirects).map(({ route }) => route)
export const redirects: string[] = found.filter((each) => each.redirects).map(({ route }) => route)

/** Pages for visitors who are signed out. */
export const openPages = ['/sign-in', '/forgot', '/invitation']

/** The address of a page for these records. @throws for a parameter that no test provides yet */
export function addressOf(route: string, records: Record<string, string>): string {
  const path = route.replace(/:(\w+)/g, (_, name: string) => {
    const value = records[name]
    if (!value) throw new Error(`the page ${route} needs a ${name}: let these tests make one`)
    return encodeURIComponent(value)
  })
  return `/dashboard${path}`
}

/** The titles of all dialogs, as patterns: a computed part matches any text. */
export function dialogTitles(): RegExp[] {
  const titles = sources
    .flatMap((source) => [
      ...source.matchAll(/<(?:Confirm|Secret)?Dialog\s[^>]*?title=(?:"([^"]+)"|\{`([^`]+)`\})/gs),
    ])
    .map(([, plain, template]) => plain ?? template ?? '')
  return titles.map(
    (title) => new RegExp(`^${title.replace(/[?.()]/g, '\\$&').replace(/\$\{[^}]+\}/g, '.+')}$`),
  )
}

/** The number of dialogs in the sources; each must have a title that `dialogTitles` can read. */
export const dialogCount = (): number =>
  sources.flatMap((source) => [...source.matchAll(/<(?:Confirm|Secret)?Dialog[\s>]/g)]).length
