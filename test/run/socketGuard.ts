// Not by import: Jest would cache the current functions for suites that import them by name.
const childProcess = process.getBuiltinModule('node:child_process')
const dgram = process.getBuiltinModule('node:dgram')
const dns = process.getBuiltinModule('node:dns')
const net = process.getBuiltinModule('node:net')

type Guarded = (() => unknown) & { [original]?: () => unknown }
const original = Symbol.for('cowry.socketGuard.original')

const queries = ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse']

/** The functions through which Node opens sockets, resolves names and starts processes. */
const guarded = (
  [
    [net.Socket.prototype, ['connect']],
    [net.Server.prototype, ['listen']],
    [dgram.Socket.prototype, ['bind', 'connect', 'send']],
    [dns, queries],
    [dns.promises, queries],
    [dns.Resolver.prototype, queries],
    [dns.promises.Resolver.prototype, queries],
    [childProcess.ChildProcess.prototype, ['spawn']],
    [childProcess, ['spawnSync', 'execSync', 'execFileSync']],
    [globalThis, ['fetch']],
  ] as [object, string[]][]
).flatMap(([target, names]) =>
  names.filter((name) => name in target).map((name) => ({ target: target as Record<string, Guarded>, name })),
)

/** Makes these functions throw until `allowSockets`: the suites of a worker share Node's own modules. */
export function guardSockets(): void {
  for (const { target, name } of guarded) {
    const before = target[name]
    if (!before || before[original]) continue
    const refuse = () => {
      throw new Error(
        `A unit test called ${name}(), which opens a socket, resolves a name or starts a process. Only *.integration.test.ts may: rename the suite (docs/testing.md).`,
      )
    }
    target[name] = Object.assign(refuse, { [original]: before })
  }
}

export function allowSockets(): void {
  for (const { target, name } of guarded) {
    const before = target[name]?.[original]
    if (before) target[name] = before
  }
}
