export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
