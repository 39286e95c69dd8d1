/** Days from one new moon to the next, on average: Meeus, Astronomical Algorithms, chapter 49. */
const synodicDays = 29.530_588_861;
/** A new moon: 6 January 2000, 18:14 UTC. */
const newMoonMs = Date.UTC(2000, 0, 6, 18, 14);
const dayMs = 86_400_000;

const phases = [
  ['new_moon', 'new'],
  ['waxing_crescent_moon', 'a waxing crescent'],
  ['first_quarter_moon', 'in its first quarter'],
  ['waxing_moon', 'waxing, more than half of it lit'],
  ['full_moon', 'full'],
  ['waning_gibbous_moon', 'waning, more than half of it lit'],
  ['last_quarter_moon', 'in its last quarter'],
  ['waning_crescent_moon', 'a waning crescent'],
] as const;

/** Says in Markdown what the Moon looks like, to a few hours. */
export function describeMoon(nowMs: number): string {
  const days = (nowMs - newMoonMs) / dayMs;
  const age = days - Math.floor(days / synodicDays) * synodicDays;
  const part = age / synodicDays;
  const [emoji, words] = phases[Math.round(part * phases.length) % phases.length] ?? phases[0];
  const lit = Math.round(((1 - Math.cos(2 * Math.PI * part)) / 2) * 100);
  const daysToNew = Math.round(synodicDays - age);
  return `:${emoji}: The Moon is ${words} (${lit} % lit). ${daysToNew === 0 ? 'Tonight is as dark as it gets.' : `The next dark night is in ${daysToNew} ${daysToNew === 1 ? 'day' : 'days'}.`}`;
}
