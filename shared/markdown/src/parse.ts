import { dialect } from './dialect.ts';
import { envOf } from './line.ts';
import type { Options } from './options.ts';
import { previewedLinksMax } from './previews.ts';
import type { References } from './resolved.ts';
import type { Sheet } from './sheet.ts';
import { write } from './write.ts';

export interface Parsed {
  references: References;
  /** Whether it can be rendered without looking anything up. */
  needsNothing: boolean;
  /** Addresses whose pages may be shown below it, once they are known. */
  pages: string[];
  options: Options;
  sheet: Sheet;
}

/** Reads a text. In time that grows with its length only; what is deeply nested is read as plain text. */
export function parse(source: string, options: Options): Parsed {
  const sheet = write(dialect.parse(source, envOf(options)), options);
  sheet.end();
  const { references } = sheet;
  return {
    references,
    needsNothing: Object.values(references).every(({ length }) => length === 0),
    pages: pagesOf(sheet),
    options,
    sheet,
  };
}

const pagesOf = ({ links, parts }: Sheet): string[] =>
  links.size > previewedLinksMax
    ? []
    : parts.flatMap((part) =>
        part.kind === 'preview' && part.preview.kind === 'page' ? part.preview.href : [],
      );
