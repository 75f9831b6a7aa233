import type { RequestHandler } from 'express'
import { OpenApiContext } from 'express-openapi-validator/dist/framework/openapi.context.js'
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js'
import { applyOpenApiMetadata } from 'express-openapi-validator/dist/middlewares/openapi.metadata.js'

/**
 * Finds the operation of a request. At each request the library compiles the pattern of every route until one
 * matches (0.4 ms of CPU for one of the last). So it gets only the routes that can match: those with as many
 * segments, the fixed ones equal. Without one it tries all, and refuses.
 */
export function findOperation(spec: Spec): RequestHandler {
  const among = (routes: Spec['routes']) =>
    applyOpenApiMetadata(
      new OpenApiContext({ ...spec, routes }, undefined as never),
      null as never,
    ) as unknown as RequestHandler
  const all = among(spec.routes)
  const paths = [...new Set(spec.routes.map(({ expressRoute }) => expressRoute))].map((path) => ({
    path,
    segments: segmentsOf(path),
  }))
  /** By the paths that can match. Requests cannot add to them: there are few. */
  const known = new Map<string, RequestHandler>()
  return (request, response, next) => {
    const asked = segmentsOf(request.originalUrl.split('?', 1)[0] ?? '')
    const fitting = paths.filter(({ segments }) => fits(segments, asked)).map(({ path }) => path)
    if (fitting.length === 0) return all(request, response, next)
    const key = fitting.join(' ')
    const find =
      known.get(key) ?? among(spec.routes.filter(({ expressRoute }) => fitting.includes(expressRoute)))
    known.set(key, find)
    return find(request, response, next)
  }
}

/** As the library compares: without case, and with or without a slash at the end. */
const segmentsOf = (path: string): string[] => path.toLowerCase().replace(/\/$/, '').split('/')

const fits = (segments: readonly string[], asked: readonly string[]): boolean =>
  segments.length === asked.length &&
  segments.every((segment, index) => segment.includes(':') || segment === asked[index])
