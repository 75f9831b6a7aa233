import { TestEnvironment } from 'jest-environment-node'
import { importPackage } from './sharedPackages.ts'

/**
 * Jest's environment for Node, where a suite may import the packages that its worker has loaded. These and
 * the suite have the same errors, for
 * `instanceof`, and the same clock, which a suite may set.
 */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup()
    const same = {
      Date,
      Error,
      TypeError,
      RangeError,
      SyntaxError,
      ReferenceError,
      EvalError,
      URIError,
      AggregateError,
    }
    Object.assign(this.global, same, { [importPackage]: (name) => import(name) })
  }
}
