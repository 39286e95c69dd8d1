import { describe, expect, test } from 'vitest';

import { autolinks } from './cases/autolinks.ts';
import { channels } from './cases/channels.ts';
import { code } from './cases/code.ts';
import { emoji } from './cases/emoji.ts';
import { emphasis } from './cases/emphasis.ts';
import { headings } from './cases/headings.ts';
import { links } from './cases/links.ts';
import { lists } from './cases/lists.ts';
import { math } from './cases/math.ts';
import { mentions } from './cases/mentions.ts';
import { paragraphs } from './cases/paragraphs.ts';
import { previews } from './cases/previews.ts';
import { quotes } from './cases/quotes.ts';
import { spoilers } from './cases/spoilers.ts';
import { tables } from './cases/tables.ts';
import { times } from './cases/times.ts';
import { options, resolved } from './cases/world.ts';
import { parse } from './parse.ts';
import { render } from './render.ts';

const constructs = {
  paragraphs,
  headings,
  lists,
  quotes,
  code,
  spoilers,
  tables,
  math,
  emphasis,
  links,
  autolinks,
  previews,
  mentions,
  channels,
  times,
  emoji,
};

describe.each(Object.entries(constructs))('%s', (_, cases) => {
  test.each(cases)('%j', (source, html) => {
    expect(render(parse(source, options), resolved).html).toBe(html);
  });
});

test('no text is in a table twice', () => {
  for (const cases of Object.values(constructs)) {
    const sources = cases.map(([source]) => source);
    expect(new Set(sources).size).toBe(sources.length);
  }
});
