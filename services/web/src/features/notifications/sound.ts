import { once } from '../../base/functions/once.ts';

const openAudio = once(() => new AudioContext());

/** A short tone. Browsers play none before somebody has used the page. */
export function playTone(): void {
  try {
    const context = openAudio();
    const { currentTime, destination } = context;
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.frequency.setValueAtTime(880, currentTime);
    oscillator.frequency.setValueAtTime(1175, currentTime + 0.1);
    gain.gain.setValueAtTime(0.15, currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.35);
    oscillator.connect(gain).connect(destination);
    oscillator.start();
    oscillator.stop(currentTime + 0.35);
  } catch {
    // There is nothing here to hear it with.
  }
}
