import { useEffect, useRef } from 'react'

/** Frequency of each tone in hertz, its start and length in seconds. */
const tones = [
  [660, 0, 0.14],
  [880, 0.16, 0.32],
] as const

/**
 * Two rising tones when a page that was open sees the payment become final; a page that is opened afterwards
 * is silent. Browsers that allow no sound before a touch stay silent as well: the large sign is enough.
 */
export function usePaidSignal(isPaid: boolean): void {
  const was = useRef(isPaid)
  useEffect(() => {
    if (isPaid && !was.current) play()
    was.current = isPaid
  }, [isPaid])
}

function play(): void {
  try {
    const audio = new AudioContext()
    for (const [frequency, start, length] of tones) {
      const tone = audio.createOscillator()
      const volume = audio.createGain()
      const from = audio.currentTime + start
      tone.frequency.value = frequency
      volume.gain.setValueAtTime(0.25, from)
      volume.gain.exponentialRampToValueAtTime(0.001, from + length)
      tone.connect(volume).connect(audio.destination)
      tone.start(from)
      tone.stop(from + length)
    }
    setTimeout(() => void audio.close(), 1500)
  } catch {
    // No sound on this device.
  }
}
