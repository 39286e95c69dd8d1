import { timeText } from '../../strings/drafts.ts';

/** A moment that is offered, in seconds since the epoch. */
export interface Preset {
  name: string;
  at: number;
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

function on(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** Moments that people often mean, soonest first, in the time of this machine. */
export function presetsAt(now: Date): Preset[] {
  const nextMonday = (8 - now.getDay()) % 7 || 7;
  const presets = [
    { name: timeText.inAnHour, at: seconds(now) + 3600 },
    { name: timeText.inThreeHours, at: seconds(now) + 3 * 3600 },
    ...(now.getHours() < 15 ? [{ name: timeText.afternoon, at: seconds(on(now, 0, 16)) }] : []),
    { name: timeText.tomorrow, at: seconds(on(now, 1, 9)) },
    ...(nextMonday === 1 ? [] : [{ name: timeText.monday, at: seconds(on(now, nextMonday, 9)) }]),
  ];
  return presets.sort((a, b) => a.at - b.at);
}

/** A moment as `<input type="datetime-local">` writes it. */
export function toLocalText(at: number): string {
  const date = new Date(at * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const fromLocalText = (text: string): number => Math.floor(new Date(text).getTime() / 1000);
