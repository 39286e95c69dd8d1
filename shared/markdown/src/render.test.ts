import { describe, expect, test } from 'vitest';

import { options, resolved } from './cases/world.ts';
import { compileLinkifiers } from './linkifiers.ts';
import type { Options } from './options.ts';
import { parse } from './parse.ts';
import { render } from './render.ts';
import { nothingResolved, referencesMax } from './resolved.ts';

const read = (source: string, more: Partial<Options> = {}) =>
  render(parse(source, { ...options, ...more }), resolved);
const htmlOf = (source: string, more: Partial<Options> = {}) => read(source, more).html;

describe('what has to be looked up', () => {
  test('is nothing for a text that names nobody and no place', () => {
    const parsed = parse('just **text**, `code` and https://ex.org :tada:', options);
    expect(parsed.isSelfContained).toBe(true);
    expect(render(parsed).html).toContain('<strong>text</strong>');
  });

  test('adds to the length that is known before', () => {
    const formulas = parse('$$x^2$$ '.repeat(50), options);
    expect(formulas.htmlLength).toBe(`${render(formulas).html}\n`.length);
    const mention = parse('@**Ada Bell**', options);
    expect(mention.htmlLength).toBeLessThan(render(mention, resolved).html.length);
  });

  test('is each user, group, channel, topic and upload once', () => {
    const source = `@**Ada Bell** @**ada bell** @**Ada Bell|42** @**|42** @_**Ben Ode** @*ops* @*ops* @**all**
#**lab** #**lab>week 3** #**lab>Week 3** #**lab>week 3@901** [a](/user_uploads/1/aa/p.png) /user_uploads/1/aa/x`;
    expect(parse(source, options).references).toEqual({
      users: [
        { name: 'ada bell', id: null },
        { name: 'Ada Bell', id: 42 },
        { name: '', id: 42 },
        { name: 'Ben Ode', id: null },
      ],
      groups: ['ops'],
      channels: ['lab'],
      topics: [{ channel: 'lab', topic: 'Week 3' }],
      uploads: ['1/aa/p.png'],
    });
  });

  test('is bounded: further names are text', () => {
    const source = Array.from({ length: referencesMax + 5 }, (_, n) => `@**user ${n}**`).join(' ');
    expect(parse(source, options).references.users.length).toBe(referencesMax);
  });

  test('is nothing in code', () => {
    expect(parse('`@**Ada Bell**`\n```\n#**lab**\n```', options).isSelfContained).toBe(true);
  });
});

describe('mentions', () => {
  const mentioned = (source: string) => read(source).mentions;
  const nobody = { users: [], groups: [], forbiddenGroups: [], channel: false, topic: false };

  test.each([
    ['@**Ada Bell** and @**Ben Ode** and @**|42**', { users: [42, 46] }],
    ['@*ops*', { groups: [7] }],
    ['@**all**', { channel: true }],
    ['@**topic**', { topic: true }],
    ['@_**Ada Bell** @_*ops* @_**all** @_**topic**', {}],
    ['> @**Ada Bell** @*ops* @**all** @**topic**', {}],
    ['```quote\n@**Ada Bell**\n```', {}],
    ['```quote\nquoted\n```\n@**Ada Bell**', { users: [42] }],
    ['```spoiler a\n@**Ada Bell**\n```', { users: [42] }],
    ['`@**Ada Bell**`', {}],
    ['@**Gone Guy** @*old team*', {}],
    ['@**Nobody Here** @*nobody*', {}],
    ['@*secret*', { forbiddenGroups: [9] }],
    ['@_*secret*', {}],
  ])('%j mentions %j', (source, some) => {
    expect(mentioned(source)).toEqual({ ...nobody, ...some });
  });
});

describe('what a text holds', () => {
  const facts = (source: string) => {
    const { hasLink, hasImage, hasAttachment, uploads } = read(source);
    return { hasLink, hasImage, hasAttachment, uploads };
  };
  const nothing = { hasLink: false, hasImage: false, hasAttachment: false, uploads: [] };

  test.each([
    ['text', {}],
    ['https://ex.org', { hasLink: true }],
    ['[a](ex.org)', { hasLink: true }],
    ['`https://ex.org`', {}],
    ['#**lab**', {}],
    ['https://ex.org/a.png', { hasLink: true, hasImage: true }],
    ['[a](/user_uploads/1/aa/n.pdf)', { hasLink: true, hasAttachment: true, uploads: ['1/aa/n.pdf'] }],
    [
      'https://chat.example.com/user_uploads/1/aa/p.png',
      { hasLink: true, hasImage: true, hasAttachment: true, uploads: ['1/aa/p.png'] },
    ],
    ['/user_uploads/1/aa/n.pdf', {}],
    ['https://elsewhere.org/user_uploads/1/aa/n.pdf', { hasLink: true }],
    ['[a](/user_uploads/1/aa/unknown.png)', { hasLink: true, hasImage: true }],
    ['[a](/user_uploads/1/aa/unknown.pdf)', { hasLink: true }],
    [
      '[a](/user_uploads/thumbnail/1/aa/r.gif/840x560-anim.webp)',
      { hasLink: true, hasImage: true, hasAttachment: true, uploads: ['1/aa/r.gif'] },
    ],
    ['[a.mp3](/user_uploads/1/aa/a.mp3)', { hasLink: true, hasAttachment: true, uploads: ['1/aa/a.mp3'] }],
  ])('%j', (source, some) => {
    expect(facts(source)).toEqual({ ...nothing, ...some });
  });
});

describe('what a reader reads', () => {
  test.each([
    ['**bold** and `code`', 'bold and code'],
    ['one\n\ntwo\nthree', 'one\ntwo\nthree'],
    ['* a\n* b', 'a\nb'],
    ['@**ada bell** in #**lab>week 3**', '@Ada Bell in #lab > week 3'],
    ['@**Nobody Here** in #**nope**', '@Nobody Here in #nope'],
    ['[text](https://ex.org "t")', 'text'],
    ['&lt;b&gt;', '<b>'],
    [':tada: and 🎉', ':tada: and 🎉'],
    ['```python\nx = 1\n```', 'x = 1'],
    ['a | b\n--- | ---\n1 | 2', 'a\nb\n1\n2'],
    ['<time:1893456000>', '1893456000'],
    ['#**lab>**', '#lab > general chat'],
  ])('%j is read as %j', (source, text) => {
    expect(read(source).text).toBe(text);
  });
});

describe('previews', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `https://ex.org/${n}.png x`).join('\n');
  const shown = (html: string) => html.split('message_inline_image').length - 1;

  test('are shown for up to 24 links, and for none of more', () => {
    expect(shown(htmlOf(many(24)))).toBe(24);
    expect(shown(htmlOf(many(25)))).toBe(0);
    expect(htmlOf(many(25))).toContain('https://ex.org/24.png</a>');
    expect(shown(htmlOf(`${many(24)}\n\n> https://ex.org/a https://ex.org/b`))).toBe(24);
  });

  test('previews of pictures and pages can each be switched off', () => {
    const source = 'https://ex.org/a.png and https://news.ex.org/story';
    const [image, page] = ['message_inline_image', 'message_embed'];
    const withOut = (previews: Options['previews']) => htmlOf(source, { previews });
    expect(withOut({ images: true, pages: false })).toContain(image);
    expect(withOut({ images: true, pages: false })).not.toContain(page);
    expect(withOut({ images: false, pages: true })).not.toContain(image);
    expect(withOut({ images: false, pages: true })).toContain(page);
  });

  test('change when more is known, and nothing else does', () => {
    const parsed = parse('see [p.png](/user_uploads/1/aa/p.png) **now**', options);
    const pictureOf = (state: 'pending' | 'ready' | 'failed') => {
      const facts = resolved.uploads.get('1/aa/p.png');
      return render(parsed, {
        ...resolved,
        uploads: new Map(facts ? [['1/aa/p.png', { ...facts, state }]] : []),
      }).html;
    };
    const text = '<p>see <a href="/user_uploads/1/aa/p.png">p.png</a> <strong>now</strong></p>';
    expect(pictureOf('pending')).toMatch(new RegExp(`^${text}\n.*loader-black`));
    expect(pictureOf('ready')).toMatch(
      new RegExp(`^${text}\n.*/user_uploads/thumbnail/1/aa/p.png/840x560.webp`),
    );
    expect(pictureOf('failed')).toBe(text);
  });

  test('name the pages that are worth fetching', () => {
    const source = `https://a.org/x [b](https://b.org) https://ex.org/a.png /x #**lab** me@ex.org
> https://quoted.org`;
    expect(read(source).pages).toEqual(['https://a.org/x', 'https://b.org']);
  });
});

describe('an organization', () => {
  const linkifiers = compileLinkifiers([
    { pattern: 'case-(?P<n>[0-9]+)', urlTemplate: 'https://t.ex.org/{n}' },
    { pattern: 'run (?P<n>.*)', urlTemplate: 'javascript:{n}' },
  ]);
  const link = '<a href="https://t.ex.org/15">case-15</a>';

  test.each([
    ['case-15', `<p>${link}</p>`],
    ['see case-15, please', `<p>see ${link}, please</p>`],
    ['**case-15**', '<p><strong>case-15</strong></p>'],
    ['`case-15`', '<p><code>case-15</code></p>'],
    ['[case-15](https://ex.org)', '<p><a href="https://ex.org">case-15</a></p>'],
    ['https://ex.org/case-15', '<p><a href="https://ex.org/case-15">https://ex.org/case-15</a></p>'],
    ['case-15 https://ex.org', `<p>${link} <a href="https://ex.org">https://ex.org</a></p>`],
    ['https://ex.org case-15', `<p><a href="https://ex.org">https://ex.org</a> ${link}</p>`],
    ['run x', '<p>run x</p>'],
    [':tada: case-15 :tada:', expect.stringContaining(link)],
  ])('an organization with linkifiers reads %j', (source, html) => {
    expect(htmlOf(source, { linkifiers })).toEqual(html);
  });

  test.each([
    ['python', 'data-code-language="Python"'],
    ['quote', '<blockquote>'],
    ['math', 'katex-display'],
    ['spoiler', 'spoiler-block'],
  ])(
    'an organization with the default language %s reads a fence without one as such',
    (defaultCodeLanguage, html) => {
      expect(htmlOf('```\nx\n```', { defaultCodeLanguage })).toContain(html);
      expect(htmlOf('```js\nx\n```', { defaultCodeLanguage })).toContain('JavaScript');
    },
  );
});

describe('an author who has emoticons translated', () => {
  const smile =
    '<span aria-label="slight smile" class="emoji emoji-1f642" role="img" title="slight smile">:slight_smile:</span>';

  test.each([
    [':)', `<p>${smile}</p>`],
    ['hi :) you', `<p>hi ${smile} you</p>`],
    ['(: hi', `<p>${smile} hi</p>`],
    ['nice :).', `<p>nice ${smile}.</p>`],
    ['a:)', '<p>a:)</p>'],
    [':)a', '<p>:)a</p>'],
    ['`:)`', '<p><code>:)</code></p>'],
    ['https://ex.org/:)', '<p><a href="https://ex.org/">https://ex.org/</a>:)</p>'],
    [':/', '<p>:/</p>'],
    ['<3', expect.stringContaining('emoji-2764')],
    [':)\n:(', expect.stringContaining(`${smile}<br>\n<span aria-label="frown"`)],
  ])('%j', (source, html) => {
    expect(htmlOf(source, { translateEmoticons: true })).toEqual(html);
  });
});

describe('bounds', () => {
  test('a text whose HTML would be too long is shown as it is written', () => {
    const source = `@**Ada Bell** <b>\n${'$$x$$ '.repeat(5000)}`;
    const { html, mentions } = read(source);
    expect(html).toBe(`<p>@**Ada Bell** &lt;b&gt;<br>\n${source.slice(18).trim()}</p>`);
    expect(mentions.users).toEqual([]);
  });

  test.each([['> '], ['* '], ['- + '], ['1. ']])(
    'nothing of a text is lost where %j lies too deep',
    (mark) => {
      expect(read(`${mark.repeat(500)}needle`).text).toContain('needle');
    },
  );

  test('quotes within quotes by the thousand end as text', () => {
    const source = Array.from({ length: 1000 }, (_, n) => `${'`'.repeat(3 + (n % 100))}quote`).join('\n');
    expect(read(`${source}\nneedle`).text).toContain('needle');
  });

  test('names are text when nothing is looked up', () => {
    expect(render(parse('@**Ada Bell** #**lab**', options), nothingResolved).html).toBe(
      '<p>@<strong>Ada Bell</strong> #<strong>lab</strong></p>',
    );
  });
});
