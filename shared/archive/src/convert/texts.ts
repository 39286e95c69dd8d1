import * as model from '@parley/model';
import { limits } from '@parley/protocol';

import { resolveReferences } from './foreign.ts';

/** Control characters but for tabs and new lines. Some of them mark references while a text is on its way. */
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

/** What most texts have none of. */
// eslint-disable-next-line no-control-regex
const unusual = /[\u0000-\u0008\u000B-\u001F\u007F]|\p{Cs}/u;

/** Returns a text of another product without characters that no text may have. */
export const cleanText = (raw: string): string =>
  unusual.test(raw)
    ? raw
        .replaceAll('\r\n', '\n')
        .replaceAll(/\p{Cs}/gu, '\uFFFD')
        .replaceAll(controls, '')
    : raw;

/** Returns a text of one line without characters that no name may have. */
function cleanLine(raw: string): string {
  const line = cleanText(raw).replaceAll(/\s+/g, ' ').trim();
  if (/^[ -~]*$/.test(line)) return line;
  return [...line].filter((character) => !model.isUnprintable(character)).join('');
}

/** Returns a text of at most so many characters. What is cut off is shown by three full stops. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 3)
        .join('')
        .trimEnd()}...`;
}

/** Returns a name that an account may have; the other one if nothing of it is left. */
export function personName(raw: string, otherwise: string): string {
  const name = cleanLine(raw.replaceAll(/[*`\\>"@]/g, '')).replace(/(?:\|\d+)+$/, '');
  return shorten(name.trim() || otherwise, limits.fullNameLength).trim();
}

export const channelName = (raw: string, otherwise: string): string =>
  shorten(cleanLine(raw) || otherwise, limits.channelNameLength).trim();

/** Returns a name that a topic may have, and that is not the empty topic's. */
export function topicName(raw: string, otherwise: string): string {
  const name = cleanLine(raw) || otherwise;
  const own = model.messages.readEmptyTopic(name) === '' ? `Topic: ${name}` : name;
  return shorten(own, limits.topicLength).trim();
}

export const description = (raw: string): string =>
  shorten(cleanLine(raw), limits.channelDescriptionLength).trim();

/** How many characters of its words name a thread. */
const titleLength = 50;

/** Returns the first words of a message in Markdown, as the name of its thread. */
export function titleOf(text: string): string {
  const plain = text
    .slice(0, 2000)
    .replaceAll(/```[^\n]*\n?/g, '')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^[>#\s]*(?:[-*]\s+)?/gm, '')
    .replaceAll(/\*\*|~~|`/g, '');
  const line = plain.split('\n').find((one) => one.trim() !== '') ?? '';
  const words = cleanLine(line);
  if (words.length <= titleLength) return words;
  const cut = [...words].slice(0, titleLength).join('');
  const end = cut.lastIndexOf(' ');
  return `${(end > titleLength / 2 ? cut.slice(0, end) : cut).trimEnd()}...`;
}

/** Returns what two names have in common that a database may take for the same, whatever its language. */
const foldedName = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** Names of which each is given once. */
export class UniqueNames {
  readonly #taken = new Map<string, number>();

  /** Returns the name, or one with a number behind it. */
  take(name: string, max: number): string {
    const key = foldedName(name);
    let next = this.#taken.get(key);
    if (next === undefined) {
      this.#taken.set(key, 2);
      return name;
    }
    for (; ; next += 1) {
      const end = ` (${next})`;
      const own = `${shorten(name, max - end.length)}${end}`;
      const ownKey = foldedName(own);
      if (this.#taken.has(ownKey)) continue;
      this.#taken.set(key, next + 1);
      this.#taken.set(ownKey, 2);
      return own;
    }
  }
}

const microsPerMilli = 1000;
const microsPerDay = 86_400_000 * microsPerMilli;

/** The day of the last time that was written: most times follow each other. */
let written = { day: Number.NaN, text: '' };

/** Returns a time, in millionths of a second, as Postgres writes it. */
export function timeText(micros: number): string {
  const day = Math.floor(micros / microsPerDay);
  if (written.day !== day) {
    written = { day, text: new Date((day * microsPerDay) / microsPerMilli).toISOString().slice(0, 11) };
  }
  const seconds = Math.floor((micros - day * microsPerDay) / 1_000_000);
  const rest = String(micros % 1_000_000).padStart(6, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${written.text}${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${rest}+00:00`;
}

const two = (number: number): string => (number < 10 ? `0${number}` : String(number));

/** The times that a message can have: from 1990 to 2200. */
const timesMicros = { min: Date.UTC(1990, 0) * microsPerMilli, max: Date.UTC(2200, 0) * microsPerMilli };

export const isTime = (micros: number): boolean =>
  Number.isInteger(micros) && micros >= timesMicros.min && micros < timesMicros.max;

/** Returns the first words of a text in which people and channels have no names yet. */
export const plainTitleOf = (text: string, nameOf: Parameters<typeof resolveReferences>[1]): string =>
  titleOf(resolveReferences(text.slice(0, 1000), nameOf));
