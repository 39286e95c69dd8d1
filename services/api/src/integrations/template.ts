import { ApiError } from '@parley/protocol';
import Mustache from 'mustache';

import { inline, quote } from './markdown.ts';

/** What Mustache makes of a template: each part with its kind, and what lies within a section. */
type Part = [kind: string, value: string, start: number, end: number, within?: Part[] | string];

/** What filling a template may cost, whatever the template and the payload are. */
const partsMax = 10_000;
const lengthMax = 10_000;

/** Parses without the cache of the library, which keeps every template for ever. */
const writer = Object.assign(new Mustache.Writer(), { templateCache: undefined });

function parse(template: string): Part[] {
  try {
    // Safe: the library’s types know the kinds of parts more exactly.
    return writer.parse(template) as Part[];
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new ApiError('BAD_REQUEST', `This template cannot be read: ${why.slice(0, 200)}`);
  }
}

/** A value that is there under a name, and nothing that every object has. */
const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The value of a name like `a.b`, in the nearest of what encloses it that has its first step. */
function find(name: string, scopes: readonly unknown[]): unknown {
  if (name === '.') return scopes.at(-1);
  const [first = '', ...rest] = name.split('.');
  const scope = scopes.findLast((one) => own(one, first) !== undefined);
  return rest.reduce(own, own(scope, first));
}

/** What is shown of a value: texts, numbers and lists of these. */
function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value
      .slice(0, 20)
      .map((one) => (Array.isArray(one) ? '' : textOf(one)))
      .filter(Boolean)
      .join(', ');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

class Filling {
  text = '';
  private parts = 0;

  add(parts: readonly Part[], scopes: readonly unknown[]): void {
    for (const [kind, name, , , within] of parts) {
      this.parts += 1;
      if (this.parts > partsMax || this.text.length > lengthMax) return;
      const value = kind === 'text' ? null : find(name, scopes);
      if (kind === 'text') this.text += name;
      else if (kind === 'name') this.text += inline(textOf(value));
      else if (kind === '&') this.text += quote(textOf(value));
      else if (kind === '#' && Array.isArray(within)) this.addEach(within, value, scopes);
      else if (kind === '^' && Array.isArray(within) && isNothing(value)) this.add(within, scopes);
    }
  }

  private addEach(within: readonly Part[], value: unknown, scopes: readonly unknown[]): void {
    if (isNothing(value)) return;
    for (const one of Array.isArray(value) ? value.slice(0, partsMax) : [value])
      this.add(within, [...scopes, one]);
  }
}

/**
 * Fills a template of Mustache with the fields of a payload. A field is a part of a line, and between three braces a
 * quote, and mentions nobody. Costs little, whatever the template and the payload are.
 *
 * @throws BAD_REQUEST for a template that cannot be read
 */
export function fill(template: string, payload: unknown): string {
  const filling = new Filling();
  filling.add(parse(template), [payload]);
  return filling.text;
}
