import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'

/** Sum of a metric's series whose labels contain all of `labels`; 0 without series. */
export async function metric(
  of: CowryProcess | undefined,
  name: string,
  ...labels: string[]
): Promise<number> {
  if (!of) throw new Error(`no process to read ${name} from`)
  const text = await (await fetch(of.metricsUrl())).text()
  return text
    .split('\n')
    .filter(
      (line) =>
        (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
        labels.every((label) => line.includes(label)),
    )
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
