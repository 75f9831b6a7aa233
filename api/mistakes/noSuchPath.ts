import { nearMiss } from '../../src/platform/nearMiss.ts'
import { type Contract, operationsOf } from '../contract.ts'

/** Longer paths are no misspelt ones. */
const maxPath = 200

/** The text for a path that does not exist: what was probably meant, and where the contract is. */
export function noSuchPath(contract: Contract): (path: string) => string {
  const base = (contract.servers[0]?.url ?? '').replace(/\/$/, '')
  const known = [
    ...new Set(operationsOf(contract).map(({ path, servers }) => `${servers[0] === '/' ? '' : base}${path}`)),
  ]
  const split = known.map((path) => ({ path, segments: path.split('/') }))
  const where = `The contract is at /openapi.json, with paths below ${base || '/'}; the guides are at /docs`
  return (requested) => {
    const path = requested.replace(/\/$/, '')
    const meant =
      path.length > maxPath ? undefined : (nearest(split, path) ?? nearest(split, `${base}${path}`))
    return `There is no such path${meant === undefined ? '' : `; did you mean ${meant}?`}${meant === undefined ? '. ' : ' '}${where}`
  }
}

function nearest(known: readonly { path: string; segments: string[] }[], path: string): string | undefined {
  const given = path.split('/')
  const fitting = known.filter(({ segments }) => segments.length === given.length)
  const wrongIn = (segments: readonly string[]) =>
    segments.flatMap((segment, i) => (segment.startsWith('{') || segment === given[i] ? [] : [i]))
  const exact = fitting.find(({ segments }) => wrongIn(segments).length === 0)
  if (exact) return exact.path
  return fitting.find(({ segments }) => {
    const [wrong, ...more] = wrongIn(segments)
    return (
      wrong !== undefined &&
      more.length === 0 &&
      nearMiss(given[wrong] ?? '', [segments[wrong] ?? '']) !== null
    )
  })?.path
}
