import { dialect } from './dialect.ts';
import type { HtmlTemplate } from './html-template.ts';
import { envOf } from './line.ts';
import type { Options } from './options.ts';
import { previewedLinksMax } from './previews.ts';
import type { References } from './resolved.ts';
import { write } from './write.ts';

export interface Parsed {
  references: References;
  /** Whether it can be rendered without looking anything up. */
  isSelfContained: boolean;
  /** Addresses whose pages may be shown below it, once they are known. */
  pages: string[];
  options: Options;
  template: HtmlTemplate;
}

/** Reads a text. In time that grows with its length only; what is deeply nested is read as plain text. */
export function parse(source: string, options: Options): Parsed {
  const template = write(dialect.parse(source, envOf(options)), options);
  template.end();
  const { references } = template;
  return {
    references,
    isSelfContained: Object.values(references).every(({ length }) => length === 0),
    pages: pagesOf(template),
    options,
    template,
  };
}

const pagesOf = ({ links, parts }: HtmlTemplate): string[] =>
  links.size > previewedLinksMax
    ? []
    : parts.flatMap((part) =>
        part.kind === 'preview' && part.preview.kind === 'page' ? part.preview.href : [],
      );
