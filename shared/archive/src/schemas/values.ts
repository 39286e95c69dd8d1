import { z } from 'zod';

/** The greatest id that fits into a column of int. */
export const idMax = 2_147_483_647;
/** The greatest id that JSON carries exactly. */
export const bigIdMax = Number.MAX_SAFE_INTEGER;
/** The greatest number of a counter: what raises it has room left. */
const counterMax = 1_000_000_000;

/** Returns whether Postgres can store a text: it takes no null characters and no halves of characters. */
const isStorable = (text: string) => !text.includes('\0') && !/\p{Cs}/u.test(text);

const hasLength = (text: string, max: number) => text.length <= max || [...text].length <= max;

/** Returns a schema of texts of so many characters at most. */
export const text = (max: number) =>
  z.string().refine((value) => isStorable(value) && hasLength(value, max), 'no such text');

/** Returns a schema of texts as a function of the API stores them: it leaves them as they are, and does not refuse them. */
export const parsed = (parse: (raw: string) => string) =>
  z.string().refine((value) => {
    try {
      return isStorable(value) && parse(value) === value;
    } catch {
      return false;
    }
  }, 'no such text');

/** Returns a schema of texts that match a pattern. */
export const like = (pattern: RegExp) => z.string().regex(pattern);

/** HTML is never taken from an archive: it is made anew from the text. */
export const html = z.string().transform(() => '');
export const nullableHtml = z
  .string()
  .nullable()
  .transform((value) => (value === null ? null : ''));

export const id = z.int().min(1).max(idMax);
/** The id of what people make without end. Its column is a bigint. */
export const bigId = z.int().min(1).max(bigIdMax);
export const ids = (max: number) => z.array(id).max(max);
/** Returns a schema of ids in ascending order, each once. */
export const sortedIds = (max: number) =>
  ids(max).refine((list) => list.every((one, index) => index === 0 || one > (list[index - 1] ?? 0)));
export const count = z.int().min(0).max(counterMax);
export const generation = z.int().min(1).max(counterMax);

/** The place of a message in its conversation. */
export const ordinal = z.int().min(0).max(bigIdMax);

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d:\d\d(?::\d\d)?$/;
const timeMax = Date.UTC(9999, 0);

/** A time as Postgres writes it in JSON. */
export const time = z.string().refine((value) => {
  const ms = timePattern.test(value) ? Date.parse(value) : Number.NaN;
  return ms >= 0 && ms < timeMax;
}, 'no time');

export const day = z.iso.date();

/** Ranges of ordinals or ids as Postgres writes them: those that begin with the first number, and end before the second. */
export const ranges = like(/^\{(?:\[\d{1,16},\d{1,16}\)(?:,\[\d{1,16},\d{1,16}\))*)?\}$/);
/** Ranges of which the last one may have no end. */
export const openRanges = like(/^\{(?:\[\d{1,16},\d{1,16}\),)*(?:\[\d{1,16},(?:\d{1,16})?\))?\}$/);

/** A random name that this server has made, and that is the folder of a file. */
const folder = String.raw`[\w-]{1,64}`;
export const picturePath = like(new RegExp(`^[1-9]\\d{0,9}/${folder}$`)).nullable();
export const uploadPath = text(200).refine((value) =>
  new RegExp(`^[1-9]\\d{0,9}/${folder}/[^/\\p{Cc}]{1,160}$`, 'u').test(value),
);
export const emojiFile = like(new RegExp(`^${folder}\\.(?:png|gif|jpeg|webp)$`));
export const stillFile = like(new RegExp(`^still/${folder}\\.png$`));

const Web = z.url({ protocol: /^https?$/ }).max(2000);
export const webUrl = text(2000).refine((value) => Web.safeParse(value).success, 'no address');

/** Returns the JSON that a text is; undefined for one that is none. */
export function fromJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
