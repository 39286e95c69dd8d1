import { attributes, escapeHtml } from './escape.ts';

export function timeHtml(written: string): string {
  const moment = readTime(written);
  if (moment === null)
    return `<span class="timestamp-error">Invalid time format: ${escapeHtml(written)}</span>`;
  return `<time${attributes({ datetime: moment })}>${escapeHtml(written)}</time>`;
}

const words = new Set(
  `january february march april may june july august september october november december jan feb mar apr jun jul aug
   sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun
   am pm z t utc gmt est edt cst cdt mst mdt pst pdt`.split(/\s+/),
);
const zone =
  /(?:[\d\s](?:z|utc|gmt|[ecmp][sd]t)|:\d{2}(?:\.\d+)?\s*[+-]\d{2}:?(?:\d{2})?|(?:utc|gmt)\s*[+-]\d{1,2}(?::?\d{2})?)\s*$/i;

/**
 * Reads ISO 8601, dates as people write them, or UNIX seconds, and returns ISO 8601 in UTC; null if it is none of
 * these. A time without a zone is in UTC.
 */
function readTime(written: string): string | null {
  const text = written.trim();
  if (/^-?\d{1,12}(?:\.\d+)?$/.test(text) && !/^\d{8}$/.test(text)) return format(Number(text) * 1000);
  const compact = /^(\d{4})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2})?(z?))?$/i.exec(text);
  if (compact) {
    const [, year, month, day, hour = '00', minute = '00', second = '00'] = compact;
    return format(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`));
  }
  const tidy = text
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replaceAll(/(^|[\s,])(\d{1,2})(?=\s*[ap]\.?m\b)/gi, '$1$2:00')
    .replaceAll(/(\d)\s*([ap])\.?m\b\.?/gi, '$1 $2m');
  if (!/\d/.test(tidy) || /[^\p{ASCII}]|[()]/u.test(tidy)) return null;
  if (!(tidy.match(/[a-z]+/gi) ?? []).every((word) => words.has(word.toLowerCase()))) return null;
  // ISO 8601 allows a zone of hours alone, but Date does not parse it.
  const whole = tidy.replace(/(:\d{2}(?:\.\d+)?\s*[+-]\d{2})$/, '$1:00');
  if (zone.test(whole)) return format(Date.parse(whole));
  return format(
    /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?$/i.test(whole)
      ? Date.parse(withZone(whole))
      : Date.parse(`${whole} UTC`),
  );
}

const withZone = (iso: string) => (/t/i.test(iso) ? `${iso}Z` : `${iso}T00:00:00Z`);

/** Only years of four digits are formatted, because clients can read no others. */
function format(ms: number): string | null {
  const moment = new Date(Math.floor(ms / 1000) * 1000);
  if (Number.isNaN(moment.getTime())) return null;
  const iso = moment.toISOString();
  return /^\d{4}-/.test(iso) ? iso.replace('.000Z', 'Z') : null;
}
