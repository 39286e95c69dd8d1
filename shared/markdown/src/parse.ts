import { dialect } from './dialect.ts';
import { escapeHtml } from './escape.ts';
import type { Budget } from './find-all.ts';
import { HtmlTemplate, type Part, Unrenderable } from './html-template.ts';
import { envOf } from './line.ts';
import { linkifierStepsMax } from './linkifiers.ts';
import type { Options } from './options.ts';
import { previewedLinksMax } from './previews.ts';
import type { References } from './resolved.ts';
import { write } from './write.ts';

/** A parsed text. It is plain data, so that it can be passed from one thread to another. */
export interface Parsed {
  references: References;
  /** Whether the text can be rendered without looking anything up. */
  isSelfContained: boolean;
  /** Addresses of pages whose previews may be shown below the text once they are known. */
  pages: string[];
  /** Whether previews are shown, which a text with too many links has none of. */
  showsPreviews: boolean;
  parts: Part[];
  links: ReadonlySet<string>;
  uploads: ReadonlySet<string>;
  /** The name that is shown for the empty topic. */
  emptyTopicName: string;
  /** Characters of the HTML, without what is looked up. */
  htmlLength: number;
}

/**
 * Parses a text, in time that grows linearly with its length. What is nested too deeply is read as plain text, and so is
 * all of a text whose HTML would be too long. `budget` is what linkifiers may take; it is used up when it is below 0.
 */
export function parse(
  source: string,
  options: Options,
  budget: Budget = { steps: linkifierStepsMax },
): Parsed {
  const template = templateOf(source, options, budget);
  template.endStatic();
  const { references, parts, links, uploads } = template;
  const showsPreviews = template.ownLinks.size <= previewedLinksMax;
  return {
    references,
    isSelfContained: Object.values(references).every(({ length }) => length === 0),
    pages: showsPreviews ? pagesOf(parts) : [],
    showsPreviews,
    parts,
    links,
    uploads,
    emptyTopicName: options.emptyTopicName,
    htmlLength: template.length,
  };
}

function templateOf(source: string, options: Options, budget: Budget): HtmlTemplate {
  try {
    return write(dialect.parse(source, envOf(options, budget)), options);
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return plainText(source, options);
  }
}

/** The text as it is written, in one paragraph. */
function plainText(source: string, options: Options): HtmlTemplate {
  const template = new HtmlTemplate(options);
  template.writeHtml(`<p>${escapeHtml(source.trim()).replaceAll('\n', '<br>\n')}</p>`);
  template.writeText(source.trim());
  return template;
}

const pagesOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.kind === 'preview' && part.preview.kind === 'page' ? part.preview.href : []));
