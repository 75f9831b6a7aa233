import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'

/** The sum of a metric's series, of those whose labels hold all of `labels`; 0 where there are none. */
export async function metric(of: CowryProcess | undefined, name: string, ...labels: string[]): Promise<number> {
  if (!of) throw new Error(`nobody to ask for ${name}`)
  const text = await (await fetch(of.metricsUrl())).text()
  return text
    .split('\n')
    .filter((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
