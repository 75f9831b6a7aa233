import express, { type Request, type RequestHandler } from 'express'
import { type Contract, operationsOf } from '../contract.ts'
import { noteBodyBytes } from './weighRequest.ts'

const usualLimit = '100kb'

const failures = new WeakMap<Request, unknown>()

/**
 * Reads a JSON body. What is wrong with it is kept until somebody wants the body: a request is judged by its credential first, and whoever
 * has none is not told about bodies.
 */
export function readJsonBody(contracts: readonly Contract[]): RequestHandler {
  const parserOf = (limit: string) => express.json({ limit, type: 'application/json', verify: noteBodyBytes })
  const usual = parserOf(usualLimit)
  const larger = contracts.flatMap((contract) =>
    operationsOf(contract).flatMap(({ path, operation, servers }) => {
      const limit = operation['x-max-body']
      return limit ? [{ pattern: patternOf(`${servers[0]}${path}`), parse: parserOf(limit) }] : []
    }),
  )
  return (request, response, next) => {
    const parse = larger.find(({ pattern }) => pattern.test(request.path))?.parse ?? usual
    parse(request, response, (failure?: unknown) => {
      if (failure) failures.set(request, failure)
      next()
    })
  }
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}/?$`)

/** Why a request's body could not be read; undefined where it could. */
export const bodyFailureOf = (request: Request): unknown => failures.get(request)
