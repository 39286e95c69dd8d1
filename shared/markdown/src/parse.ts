import { dialect } from './dialect.ts';
import type { HtmlTemplate } from './html-template.ts';
import { envOf } from './line.ts';
import type { Options } from './options.ts';
import { previewedLinksMax } from './previews.ts';
import type { References } from './resolved.ts';
import { write } from './write.ts';

export interface Parsed {
  references: References;
  /** Whether the text can be rendered without looking anything up. */
  isSelfContained: boolean;
  /** Addresses of pages whose previews may be shown below the text once they are known. */
  pages: string[];
  options: Options;
  template: HtmlTemplate;
}

/** Parses a text, in time that grows linearly with its length. What is nested too deeply is read as plain text. */
export function parse(source: string, options: Options): Parsed {
  const template = write(dialect.parse(source, envOf(options)), options);
  template.endStatic();
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
