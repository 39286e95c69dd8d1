import { attributes, escapeHtml } from './escape.ts';
import { splitZone } from './time-zone.ts';

/** Returns the HTML of a time. One that names no day is of the day on which the text was written, in UTC. */
export function timeHtml(written: string, writtenAt: Date): string {
  const moment = readTime(written, writtenAt);
  if (moment === null)
    return `<span class="timestamp-error">Invalid time format: ${escapeHtml(written)}</span>`;
  return `<time${attributes({ datetime: moment })}>${escapeHtml(written)}</time>`;
}

const words = new Set(
  `january february march april may june july august september october november december jan feb mar apr jun jul aug
   sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun
   am pm t`.split(/\s+/),
);

/**
 * Reads ISO 8601, dates as people write them, or UNIX seconds, and returns ISO 8601 in UTC; null if it is none of
 * these. A time without a zone is in UTC.
 */
function readTime(written: string, writtenAt: Date): string | null {
  const text = written.trim();
  if (/^-?\d{1,12}(?:\.\d+)?$/.test(text) && !/^\d{8}$/.test(text)) return format(Number(text) * 1000);
  const { local, offset } = splitZone(text);
  const ms = readLocal(local, writtenAt);
  return ms === null ? null : format(ms - offset * 60_000);
}

/** A date and time as if it were in UTC, in milliseconds. */
function readLocal(local: string, writtenAt: Date): number | null {
  const tidy = local
    .replace(/^(\d{4})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2})?)?$/i, separated)
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replaceAll(/(^|[\s,])(\d{1,2})(?=\s*[ap]\.?m\b)/gi, '$1$2:00')
    .replaceAll(/(\d)\s*([ap])\.?m\b\.?/gi, '$1 $2m')
    .replace(/(?<![\d.:])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/, yearFirst);
  if (!/\d/.test(tidy) || /[^\p{ASCII}]|[()]|^[-+]/u.test(tidy)) return null;
  if (!(tidy.match(/[a-z]+/gi) ?? []).every((word) => words.has(word.toLowerCase()))) return null;
  const ms = Date.parse(dated(tidy, writtenAt));
  return isDateOf(tidy, new Date(ms)) ? ms : null;
}

/** A text that `Date.parse` reads as the time in UTC. */
function dated(tidy: string, writtenAt: Date): string {
  const [, day, clock = '00:00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:[\d:.]+))?$/i.exec(tidy) ?? [];
  if (day !== undefined) return `${day}T${clock}Z`;
  const isClock = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: [ap]m)?$/i.test(tidy);
  return isClock ? `${writtenAt.toISOString().slice(0, 10)} ${tidy} UTC` : `${tidy} UTC`;
}

/**
 * Whether a moment is of the day that a text names, if it names one with its year: `Date.parse` reads the 30th of
 * February as the 2nd of March, and the year 0 as 2000.
 */
function isDateOf(text: string, moment: Date): boolean {
  const [year, ...others] = (text.replaceAll(/\d{1,2}:[\d:.]+/g, '').match(/\d+/g) ?? []).sort(
    (a, b) => Number(b.length === 4) - Number(a.length === 4),
  );
  if (year?.length !== 4) return true;
  const hasMonth = others.length > 1 || /[a-z]{3}/i.test(text);
  const isDay = !hasMonth || others.length === 0 || Number(others.at(-1)) === moment.getUTCDate();
  return isDay && Number(year) === moment.getUTCFullYear();
}

/** ISO 8601 with separators. */
function separated(_: string, ...parts: (string | undefined)[]): string {
  const [year, month, day, hour, minute, second = '00'] = parts;
  return `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}:${second}`}`;
}

/** Of a day and a month in numbers, the month comes first if it can be one. */
function yearFirst(_: string, first: string, __: string, second: string, year: string): string {
  const [month, day] = Number(first) > 12 ? [second, first] : [first, second];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Only the years 1 to 9999 are formatted, because clients can read no others. */
function format(ms: number): string | null {
  const moment = new Date(Math.floor(ms / 1000) * 1000);
  if (Number.isNaN(moment.getTime())) return null;
  const iso = moment.toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? iso.replace('.000Z', 'Z') : null;
}
