import { readdirSync, readFileSync } from 'node:fs'

/** CPU in milliseconds. */
export interface TreeCpu {
  /** The process itself. */
  own: number
  /** Its descendants: running ones, and ended ones that were waited for. */
  children: number
}

const msPerTick = 10

interface Stat {
  pid: number
  parent: number
  own: number
  ended: number
}

/** Reads `/proc/<pid>/stat`. The name of the program, in parentheses, may contain any character. */
export function parseStat(text: string): Stat {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
    fields[1],
    ...fields.slice(11, 15),
  ]
  return {
    pid: Number.parseInt(text, 10),
    parent,
    own: (user + system) * msPerTick,
    ended: (endedUser + endedSystem) * msPerTick,
  }
}

/** The CPU of `root` and all its descendants, from the stats of all processes. */
export function sumTree(root: number, stats: readonly Stat[]): TreeCpu {
  const childrenOf = Map.groupBy(stats, ({ parent }) => parent)
  const below = (pid: number): number =>
    (childrenOf.get(pid) ?? []).reduce((sum, child) => sum + child.own + child.ended + below(child.pid), 0)
  const top = stats.find(({ pid }) => pid === root)
  return { own: top?.own ?? 0, children: (top?.ended ?? 0) + below(root) }
}

/** CPU that a process and its descendants have used so far; null where the system has no `/proc`. */
export function cpuOfTree(pid: number): TreeCpu | null {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return sumTree(
      pid,
      pids.flatMap((name) => {
        try {
          return [parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'))]
        } catch {
          // It has ended since.
          return []
        }
      }),
    )
  } catch {
    return null
  }
}
